#!/usr/bin/env python3
"""A small router that follows the buffering proposal: an example of how a router is tested, not one to run.

It keeps a request until a cell has taken it. A 302 with X-Gitlab-Cell-Redirect names the cell that gets it next."""
import http.client, json, os, random, socketserver, sys, time
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit

# Fields for one hop only (RFC 9110 7.6.1), those that this router writes anew, and those between cells and routers.
NOT_PASSED_ON = set("""connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer
    transfer-encoding upgrade content-length expect x-gitlab-cell-redirect x-gitlab-cell-cache""".split())


class Refusal(Exception):
    pass  # what the router answers by itself: a status


class Cells:
    """The cells, and which prefixes of paths they are known to own."""

    def __init__(self, topology):
        self.limits, self.cache, self.owners = topology["limits"], topology["cache"], {}
        self.by_name = {cell["name"]: cell for cell in topology["cells"]}
        self.company = [cell for cell in topology["cells"] if cell["region"] == topology["region"]]

    def known(self, path):
        """The owner of the longest known prefix, which ends where a segment does."""
        for end in [len(path), *(at for at in range(len(path) - 1, 0, -1) if path[at] == "/")]:
            cell, until = self.owners.get(path[:end], (None, 0))
            if time.monotonic() < until:
                return cell
        return None

    def remember(self, path, fields, cell):
        prefix = members(fields[0]).get("path_prefix", "").removesuffix("/") if len(fields) == 1 else ""
        if prefix and (path + "/").startswith(prefix + "/"):
            while len(self.owners) >= self.cache["max_entries"]:
                self.owners.pop(next(iter(self.owners)), None)
            self.owners[prefix] = (cell, time.monotonic() + self.cache["ttl_ms"] / 1000)

    def route(self, method, target, fields, body):
        """Asks cells until one answers for the user; gives that answer."""
        path = target.split("?")[0]
        choice = [owner] if (owner := self.known(path)) else random.sample(self.company, len(self.company))
        for _ in range(self.limits["max_hops"]):
            cell, connection = self.connect(choice)
            answer = self.ask(connection, method, target, fields, body)
            redirects = answer.headers.get_all("X-Gitlab-Cell-Redirect", [])
            if answer.status != 302 or not redirects:
                self.remember(path, answer.headers.get_all("X-Gitlab-Cell-Cache", []), cell)
                return answer
            answer.close()
            choice = [self.by_name.get(members(redirects[0]).get("cell"))]
            if len(redirects) > 1 or choice == [None]:
                raise Refusal(502)
        raise Refusal(508)

    def connect(self, choice):
        """The first cell that can be reached, and the connection to it."""
        for cell in choice:
            connection = http.client.HTTPConnection(urlsplit(cell["url"]).netloc, timeout=self.limits["connect_timeout_ms"] / 1000)
            try:
                connection.connect()
                return cell, connection
            except OSError:
                pass
        raise Refusal(503)

    def ask(self, connection, method, target, fields, body):
        socket = connection.sock
        socket.settimeout(self.limits["response_timeout_ms"] / 1000)
        try:
            connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
            for name, value in fields + ([] if body is None else [("Content-Length", str(len(body)))]):
                connection.putheader(name, value)
            connection.endheaders(body or None)
            answer = connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            raise Refusal(504 if isinstance(error, TimeoutError) else 502) from error
        socket.settimeout(None)  # a pause in the middle of an answer is no failure
        return answer


def members(value):
    """Reads `{name:value,name:value}`; nothing where it is malformed."""
    inner = value.strip()[1:-1]
    pairs = [[part.strip() for part in member.partition(":")] for member in inner.split(",")]
    sound = value.strip() == "{" + inner + "}" and "}" not in inner and all(name and colon for name, colon, _ in pairs)
    return {name: content for name, _, content in pairs} if sound else {}


def passed_on(headers):
    listed = {name.strip().lower() for value in headers.get_all("Connection", []) for name in value.split(",")}
    return [(name, value) for name, value in headers.items() if name.lower() not in NOT_PASSED_ON | listed]


class Handler(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm = "HTTP/1.1", True

    def __getattr__(self, name):  # every method is routed alike
        return self.serve if name.startswith("do_") else object.__getattribute__(self, name)

    def serve(self):
        try:
            body = self.body()
            answer = cells.route(self.command, self.requestline.split()[1], passed_on(self.headers), body)
        except Refusal as refusal:
            self.close_connection = True
            return self.send_error(refusal.args[0])
        length = answer.headers.get("Content-Length")
        bodiless = self.command == "HEAD" or answer.status in (204, 304)
        framing = [("Content-Length", length)] if length else [] if bodiless else [("Transfer-Encoding", "chunked")]
        self.send_response_only(answer.status, answer.reason)
        for name, value in passed_on(answer.headers) + framing:
            self.send_header(name, value)
        self.end_headers()
        left = 0 if bodiless else int(length or -1)
        try:
            while left and (piece := answer.read1(65536)):
                self.wfile.write(piece if length else b"%x\r\n%b\r\n" % (len(piece), piece))
                left -= len(piece)
            self.wfile.write(b"" if length or bodiless else b"0\r\n\r\n")
            self.close_connection |= left > 0  # cut short by the cell, and so for the user
        except (OSError, http.client.HTTPException):
            self.close_connection = True
        answer.close()

    def body(self):
        """The body of the request, kept; None where it has none."""
        body, chunked = b"", "Transfer-Encoding" in self.headers
        size = int(self.rfile.readline().split(b";")[0], 16) if chunked else int(self.headers.get("Content-Length", 0))
        while size:
            if len(body) + size > cells.limits["max_buffered_body_bytes"]:
                raise Refusal(413)
            body += self.rfile.read(size)
            size = int((self.rfile.readline() + self.rfile.readline()).split(b";")[0], 16) if chunked else 0
        while chunked and self.rfile.readline().strip():
            pass  # trailers
        return body if chunked or "Content-Length" in self.headers else None


if __name__ == "__main__":
    if os.environ["CELLS_PROTOCOL"] != "buffering":
        sys.exit(69)  # in the contract between suite and router: not applicable
    with open(os.environ["CELLS_TOPOLOGY"], encoding="utf-8") as file:
        cells = Cells(json.load(file))
    host, port = os.environ["CELLS_LISTEN"].rsplit(":", 1)
    Server = socketserver.ThreadingTCPServer
    Server.allow_reuse_address, Server.daemon_threads, Server.request_queue_size = True, True, 128
    Server((host, int(port)), Handler).serve_forever()
