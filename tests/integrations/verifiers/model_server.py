"""A server of chat completions on the loopback, whose models answer as their names say.

`best`, `worst` and `random` know the truth and read the position from its notation; `mute` says
nothing of use. It streams where that is asked for.
"""

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random

import numduel


def answered(game, model, said):
    """What a model answers to the last thing that was said."""
    if model == "mute":
        return "I would rather not."
    position = game.read(re.findall(r"Position in notation: ([^\s\\]+)", said)[-1])
    verdicts = numduel.evaluate(game, position)
    ranked = sorted(verdicts, key=lambda move: verdicts[move].rank)
    chosen = {"best": ranked[-1], "worst": ranked[0], "random": Random(said).choice(ranked)}
    return f"I have thought of it.\nMove: {chosen[model]}"


@contextmanager
def serving(game):
    """Its URL, while it serves models that play this game."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = answered(game, asked["model"], _text(asked["messages"][-1]["content"]))
            body, kind = (_stream if asked.get("stream") else _whole)(asked["model"], text)
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
        thread.join()


USAGE = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}


def _text(content):
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _completion(model, kind, **parts):
    choice = {"index": 0, "finish_reason": None, **parts}
    return {"id": "x", "object": kind, "created": 0, "model": model, "choices": [choice]}


def _whole(model, text):
    message = {"role": "assistant", "content": text}
    whole = _completion(model, "chat.completion", message=message, finish_reason="stop")
    return json.dumps({**whole, "usage": USAGE}).encode(), "application/json"


def _stream(model, text):
    kind = "chat.completion.chunk"
    halves = [text[: len(text) // 2], text[len(text) // 2 :]]
    deltas = [{"role": "assistant", "content": half} for half in halves]
    chunks = [_completion(model, kind, delta=delta) for delta in deltas]
    chunks.append({**_completion(model, kind, delta={}, finish_reason="stop"), "usage": USAGE})
    lines = [*map(json.dumps, chunks), "[DONE]"]
    return "".join(f"data: {line}\n\n" for line in lines).encode(), "text/event-stream"
