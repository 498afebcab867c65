"""Work in slices: nobody else waits for all of it."""

import asyncio
import time

from numduel.web.cooperative import cooperatively


def test_others_have_their_turn_while_it_lasts():
    async def run():
        done, turns = [], 0

        async def others():
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(others())
        async for item in cooperatively(range(5)):
            done.append(item)
            time.sleep(0.01)  # work that holds the loop
        task.cancel()
        return done, turns

    done, turns = asyncio.run(run())
    assert done == [*range(5)]
    assert turns >= 5
