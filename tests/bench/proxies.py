"""The three programs of the benchmark: the mock provider, nginx and the gateway, each on a port the system chooses."""
import os
import socket

from processes import Process

# A plain proxy with kept connections to the upstream, nothing logged, nothing buffered, as streams need it.
NGINX = """
daemon off;
worker_processes 2;
worker_rlimit_nofile {files};
pid {folder}/nginx.pid;
error_log {folder}/nginx-error.log;
events {{ worker_connections 20000; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream mock {{ server 127.0.0.1:{mock}; keepalive 256; keepalive_requests 100000000; }}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        keepalive_requests 100000000;
        location / {{
            proxy_pass http://mock;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_buffering off;
        }}
    }}
}}
"""

# Two equivalent targets, so that the allocation policy has something to order, and a layer to fall back to.
SERVED = """
[upstream-model "mock" "{model}"]
[model "{model}"]
[layer "{model}" "first"]
target = mock/a {model}
target = mock/b {model}
[layer "{model}" "second"]
target = mock/c {model}
"""

SERVER = """
[server]
listen = 127.0.0.1:0
loops = 2
access_log = {folder}/{log}.log
"""

GATEWAY = SERVER + """
[backend "mock"]
adapter = custom-chat-completions
endpoint = http://127.0.0.1:{mock}/v1/chat/completions
[credential "mock" "a"]
api_key = public:a
[credential "mock" "b"]
api_key = public:b
[credential "mock" "c"]
api_key = public:c
[backend "foreign"]
adapter = custom-anthropic
endpoint = http://127.0.0.1:{mock}/v1/messages
[credential "foreign" "a"]
api_key = public:a
[upstream-model "foreign" "{stream}"]
[model "translated"]
[layer "translated" "first"]
target = foreign/a {stream}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write(path, text):
    with open(path, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(text)
    return path


def start_mock(build, folder):
    return Process([f"{build}/bin/mock_provider", "--port", "0"], folder, r"listening on 127\.0\.0\.1:(\d+)")


def start_nginx(folder, mock, files):
    port = free_port()
    config = write(f"{folder}/nginx.conf", NGINX.format(folder=folder, mock=mock.port, port=port, files=files))
    process = Process(["/usr/sbin/nginx", "-p", folder, "-c", config], folder)
    process.port = port
    return process


def start_gateway(root, build, folder, mock, models, stream):
    text = GATEWAY.format(folder=folder, mock=mock.port, log="access", stream=stream)
    return serve(root, build, folder, "watermaster.ini", text + "".join(SERVED.format(model=model) for model in models))


def serve(root, build, folder, name, text):
    config = write(f"{folder}/{name}", text)
    command = [f"{build}/bin/watermaster", "serve", "--config", config, "--plugins", f"{build}/plugins",
               "--policies", f"{root}/policies"]
    return Process(command, folder, r"listening on http://127\.0\.0\.1:(\d+)")
