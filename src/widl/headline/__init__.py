"""Headlines: documents, their parses and keywords, expressions over their phrases, and the systems to compare with."""
