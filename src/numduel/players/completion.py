"""One request to a server with a chat completions API, and its answer."""

from __future__ import annotations

import asyncio
import email.utils
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from numduel.players.prompt import MAX_ANSWER_CHARACTERS
from numduel.players.provider import Answer, Failed

MAX_HELD_BYTES = 2**20
"""Maximum size of an answer that is not streamed, and of one event of a stream."""

MALFORMED = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What reading an answer of another form can raise."""


async def complete(
    client: httpx2.AsyncClient, url: str, fields: dict[str, Any], seconds: float
) -> Answer:
    """Send one request and return the answer.

    Raises Failed if there is none, and TimeoutError if it takes longer from when it is sent: the
    time that the connection takes is not that of the answer.
    """
    clock = asyncio.get_running_loop().time
    begun, is_sent = clock(), False

    async def trace(event: str, info: Any) -> None:
        nonlocal begun, is_sent
        if event == "http11.send_request_headers.started":
            begun, is_sent = clock(), True
            limit.reschedule(begun + seconds)

    request: dict[str, Any] = {"json": fields, "extensions": {"trace": trace}}
    try:
        async with (
            asyncio.timeout(None) as limit,
            client.stream("POST", f"{url}/chat/completions", **request) as response,
        ):
            if response.status_code != 200:
                why = f"HTTP {response.status_code}: {await _complaint(response)}"
                raise Failed(why, response.status_code, _retry_after_seconds(response))
            answer = await _joined(_parts(response))
            return answer._replace(seconds=round(clock() - begun, 3))
    except httpx2.HTTPError as error:
        why = f"no answer from {url} ({type(error).__name__})"
        raise Failed(why, was_sent=is_sent) from None
    except (*MALFORMED, httpx2.InvalidURL) as error:
        raise Failed(f"the answer from {url} makes no sense ({type(error).__name__})") from None


async def _joined(parts: AsyncIterator[dict[str, Any]]) -> Answer:
    """Return the whole answer; Failed if it does not come to its end."""
    text, refusal, version = "", "", ""
    finish: str | None = None
    usage: dict[str, Any] = {}
    async for part in parts:
        if part.get("error"):
            raise Failed(_sentence(part))
        version, usage = part.get("model") or version, part.get("usage") or usage
        for choice in (part.get("choices") or [])[:1]:
            said = choice.get("delta") or choice.get("message") or {}
            text += _text(said.get("content"))
            refusal += said.get("refusal") or ""
            finish = finish or choice.get("finish_reason")
        if len(text) > MAX_ANSWER_CHARACTERS:
            finish = "too long"
            break
    if finish is None:
        raise Failed("the connection was closed in the middle of an answer")
    reasoning = (usage.get("completion_tokens_details") or {}).get("reasoning_tokens")
    return Answer(
        text,
        finish,
        refusal,
        version,
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        _count(reasoning),
    )


async def _parts(response: httpx2.Response) -> AsyncIterator[dict[str, Any]]:
    """Yield the parts of a streamed answer, or the one part of another."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise ValueError("no other encoding was asked for")
    if not response.headers.get("content-type", "").startswith("text/event-stream"):
        yield json.loads(await _body(response))
        return
    has_begun = False
    async for event in httpx2.EventSource(response, max_event_size=MAX_HELD_BYTES):
        if event.data == "[DONE]":
            yield {"choices": [{"finish_reason": "stop"}]} if has_begun else {}
            return
        part = json.loads(event.data)
        has_begun = has_begun or bool(part.get("choices"))
        yield part


async def _body(response: httpx2.Response) -> bytes:
    held = bytearray()
    async for chunk in response.aiter_raw():
        held += chunk
        if len(held) > MAX_HELD_BYTES:
            raise Failed(f"an answer has more than {MAX_HELD_BYTES:,} bytes")
    return bytes(held)


def _count(tokens: object) -> int | None:
    return tokens if isinstance(tokens, int) and 0 <= tokens < 2**40 else None


def _text(content: Any) -> str:
    """Return the text of a message, which some providers send in parts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def _retry_after_seconds(response: httpx2.Response) -> float | None:
    """Return how long the header Retry-After asks to wait; None if it does not."""
    text = response.headers.get("retry-after", "")
    try:
        if text.isascii() and text.replace(".", "", 1).isdigit():
            return float(text)
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except MALFORMED:
        return None


async def _complaint(response: httpx2.Response) -> str:
    """Return what the provider says of an error."""
    if response.is_redirect:
        return "redirects are not followed"
    body = (await _body(response)).decode(errors="replace")
    try:
        return _sentence(json.loads(body))
    except (ValueError, RecursionError):
        return _sentence(body)


def _sentence(told: Any) -> str:
    """Return all texts in what a provider tells, in one line: the reason, and names of fields."""
    printable = (one if one.isprintable() else " " for one in ", ".join(_texts(told)))
    return " ".join("".join(printable).split()) or "no reason is given"


def _texts(told: Any) -> list[str]:
    if isinstance(told, dict):
        told = [one for name, one in told.items() if name != "input"]  # which repeats the request
    if isinstance(told, list):
        return [text for one in told for text in _texts(one)]
    return [told] if isinstance(told, str) else []
