"""Every search against enumeration, on random spaces of strings: what it finds, and what it claims to have proved."""
