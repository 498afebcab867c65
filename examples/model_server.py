"""A server with the chat completions API, to try `model:NAME` with no key and no network.

Its models choose by a seed, and know nothing of the games: `random` takes one of the moves that it
is shown; `first` takes the first of them; `guess` says any number up to 20, which may be illegal;
`mute` says nothing; `chatty` says far too much; `slow` takes its time; `cut` is cut off; `busy`
and `broken` answer every second request with 429 and 500, and `down` answers all with 500.

Try it:
    python examples/model_server.py --port 8901 &
    numduel arena --game divisor-line --player random --player model:random,legal=shown \
        --model-url http://127.0.0.1:8901/v1 --out trial
"""

import argparse
import json
import random
import re
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock


def answer(model, messages, seed):
    """Return the text of an answer."""
    rng = random.Random(f"{model} {seed}")
    prompt = "\n".join(message["content"] for message in messages if message["role"] == "user")
    legal = re.findall(r"^Legal moves: (.*)$", prompt, re.M)
    moves = legal[-1].split(", ") if legal else [str(number) for number in range(1, 21)]
    if model == "mute":
        return ""
    if model == "chatty":
        return f"{'Hm' * 50} " * 1_000
    return f"Let me think.\nMove: {moves[0] if model == 'first' else rng.choice(moves)}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        """Say nothing."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model = request["model"]
        turn = self.server.count_request(model)
        if model == "busy" and turn % 2:
            return self.send_failure(429, {"Retry-After": "0"})
        if model == "broken" and turn % 2:
            return self.send_failure(500)
        if model == "down":
            return self.send_failure(500)
        if model == "slow":
            time.sleep(self.server.slowness)
        text = answer(model, request["messages"], request.get("seed"))
        words = sum(len(message["content"].split()) for message in request["messages"])
        usage = {"prompt_tokens": words, "completion_tokens": len(text.split())}
        usage["total_tokens"] = sum(usage.values())
        finish = "length" if model == "cut" else "stop"
        if request.get("stream"):
            return self.send_stream(model, text, usage, finish)
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        whole = {**common_fields(model, "chat.completion"), "choices": [choice], "usage": usage}
        return self.send_body("application/json", json.dumps(whole).encode())

    def send_stream(self, model, text, usage, finish):
        parts = [{"delta": {"content": part}} for part in re.findall(r"\S+\s*|\s+", text)]
        lines = []
        for part in [*parts, {"delta": {}, "finish_reason": finish}]:
            chunk = {"choices": [{"index": 0, "finish_reason": None, **part}]}
            lines.append({**common_fields(model, "chat.completion.chunk"), **chunk})
        lines.append(
            {**common_fields(model, "chat.completion.chunk"), "choices": [], "usage": usage}
        )
        text = "".join(f"data: {json.dumps(line)}\n\n" for line in lines)
        self.send_body("text/event-stream", f"{text}data: [DONE]\n\n".encode())

    def send_failure(self, status, headers=()):
        error = {"error": {"message": "not now"}}
        self.send_body("application/json", json.dumps(error).encode(), status, dict(headers))

    def send_body(self, kind, body, status=200, headers=()):
        self.send_response(status)
        for name, value in {**dict(headers), "Content-Type": kind}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True  # the client has gone


def common_fields(model, kind):
    return {"id": "1", "object": kind, "created": 0, "model": model}


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    slowness = 5.0

    def __init__(self, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self._counts, self._lock = Counter(), Lock()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def count_request(self, model):
        """Count a request, and return how many this model has had."""
        with self._lock:
            self._counts[model] += 1
            return self._counts[model]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=8901)
    server = Server(parser.parse_args().port)
    print(f"listening on {server.url}", flush=True)
    server.serve_forever()
