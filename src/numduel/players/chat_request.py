"""One request to a server with a chat completions API, and its answer, streamed or not."""

from __future__ import annotations

import asyncio
import email.utils
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from numduel.players.answer import MAX_ANSWER_CHARACTERS, Answer
from numduel.players.provider import Failed

MAX_BODY_BYTES = 2**20
"""Maximum size of an answer that is not streamed, and of one event of a stream."""

MALFORMED = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""The exceptions that an answer of an unexpected form can cause."""


async def request_completion(
    client: httpx2.AsyncClient, url: str, fields: dict[str, Any], seconds: float
) -> Answer:
    """Send one request and return the answer.

    Raises Failed if no answer comes, and TimeoutError if it takes longer than `seconds`. Time is
    counted from the moment that the request is sent, so that connecting is not part of it.
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
                why = f"HTTP {response.status_code}: {await _error_message(response)}"
                raise Failed(why, response.status_code, _retry_after_seconds(response))
            answer = await _read_answer(_completion_parts(response))
            return answer._replace(seconds=round(clock() - begun, 3))
    except httpx2.HTTPError as error:
        why = f"no answer from {url} ({type(error).__name__})"
        raise Failed(why, was_sent=is_sent) from None
    except (*MALFORMED, httpx2.InvalidURL) as error:
        raise Failed(f"the answer from {url} makes no sense ({type(error).__name__})") from None


async def _read_answer(parts: AsyncIterator[dict[str, Any]]) -> Answer:
    """Return the complete answer. Raises Failed if it breaks off."""
    text, refusal, version = "", "", ""
    finish_reason: str | None = None
    usage: dict[str, Any] = {}
    async for part in parts:
        if part.get("error"):
            raise Failed(_one_line(part))
        version, usage = part.get("model") or version, part.get("usage") or usage
        for choice in (part.get("choices") or [])[:1]:
            message = choice.get("delta") or choice.get("message") or {}
            text += _message_text(message.get("content"))
            refusal += message.get("refusal") or ""
            finish_reason = finish_reason or choice.get("finish_reason")
        if len(text) > MAX_ANSWER_CHARACTERS:
            finish_reason = "too long"
            break
    if finish_reason is None:
        raise Failed("the connection was closed in the middle of an answer")
    reasoning = (usage.get("completion_tokens_details") or {}).get("reasoning_tokens")
    return Answer(
        text,
        finish_reason,
        refusal,
        version,
        _token_count(usage.get("prompt_tokens")),
        _token_count(usage.get("completion_tokens")),
        _token_count(reasoning),
    )


async def _completion_parts(response: httpx2.Response) -> AsyncIterator[dict[str, Any]]:
    """Yield the parts of a streamed completion. One that is not streamed is a single part."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise ValueError("the content is encoded, which was not asked for")
    if not response.headers.get("content-type", "").startswith("text/event-stream"):
        yield json.loads(await _read_body(response))
        return
    has_choices = False
    async for event in httpx2.EventSource(response, max_event_size=MAX_BODY_BYTES):
        if event.data == "[DONE]":
            yield {"choices": [{"finish_reason": "stop"}]} if has_choices else {}
            return
        part = json.loads(event.data)
        has_choices = has_choices or bool(part.get("choices"))
        yield part


async def _read_body(response: httpx2.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise Failed(f"an answer has more than {MAX_BODY_BYTES:,} bytes")
    return bytes(body)


def _token_count(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value < 2**40 else None


def _message_text(content: Any) -> str:
    """Return the text of a message, which some providers send as a list of parts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def _retry_after_seconds(response: httpx2.Response) -> float | None:
    """Return how long the header Retry-After asks to wait; None without a valid one."""
    text = response.headers.get("retry-after", "")
    try:
        if text.isascii() and text.replace(".", "", 1).isdigit():
            return float(text)
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except MALFORMED:
        return None


async def _error_message(response: httpx2.Response) -> str:
    """Return what the provider says about an error."""
    if response.is_redirect:
        return "redirects are not followed"
    body = (await _read_body(response)).decode(errors="replace")
    try:
        return _one_line(json.loads(body))
    except (ValueError, RecursionError):
        return _one_line(body)


def _one_line(message: Any) -> str:
    """Return all texts in a provider's message as one line: the reason, and names of fields."""
    printable = (char if char.isprintable() else " " for char in ", ".join(_texts_in(message)))
    return " ".join("".join(printable).split()) or "no reason is given"


def _texts_in(message: Any) -> list[str]:
    if isinstance(message, dict):  # "input" repeats the request
        message = [value for name, value in message.items() if name != "input"]
    if isinstance(message, list):
        return [text for value in message for text in _texts_in(value)]
    return [message] if isinstance(message, str) else []
