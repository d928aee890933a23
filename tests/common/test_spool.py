"""A spool equals a list, even with reads between writes."""

from hypothesis import given
from hypothesis import strategies as st

from widl.common.spool import Spool


@given(st.lists(st.one_of(st.text(), st.lists(st.integers()))), st.integers(0, 9))
def test_items_come_back_in_order_as_often_as_they_are_read(items: list[object], read: int) -> None:
    with Spool[object]() as spool:
        for number, item in enumerate(items):
            spool.append(item)
            for other, known in zip(spool, items[: min(read, number + 1)], strict=False):
                assert other == known
        assert len(spool) == len(items)
        assert list(zip(spool, spool, strict=True)) == list(zip(items, items, strict=True))
        assert all(item in spool for item in items)
