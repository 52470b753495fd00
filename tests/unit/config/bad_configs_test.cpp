// Every refusal, word for word. Rows are written as parts, so that line numbers can be followed: server_part is lines
// 1 to 3; backend_part, straight after it, 4 to 9; model_part 10 to 12.
#include "config_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace {

struct Row {
    std::string text;
    std::vector<std::string> problems;
};

void expect_all(const std::vector<Row>& rows) {
    const ConfigFolder folder;
    for (const auto& row : rows) EXPECT_EQ(folder.problems(row.text), row.problems) << row.text;
}

std::string with_server(std::string_view lines) { return parts({server_part, lines}); }
std::string with_backend(std::string_view lines) {
    return parts({server_part, "[backend \"go\"]\n", lines, "[credential \"go\" \"k\"]\napi_key = public:x\n"});
}
std::string with_model(std::string_view lines) { return parts({server_part, backend_part, lines}); }

} // namespace

TEST(BadConfig, client_certificates) {
    const ConfigFolder folder;
    folder.write_certificate("a.pem", "a.key");
    folder.write_certificate("b.pem", "b.key");
    const auto problems = [&](std::string_view lines) {
        return folder.problems(parts({server_part, "[backend \"go\"]\nadapter = url\nbase_url = https://up\n", lines,
                                      "[credential \"go\" \"k\"]\napi_key = public:x\n"
                                      "[upstream-model \"go\" \"m\"]\n",
                                      model_part}));
    };
    using Problems = std::vector<std::string>;
    EXPECT_EQ(problems("tls_certificate = a.pem\ntls_key = a.key\ntls_ca_file = b.pem\n"), Problems{});
    EXPECT_EQ(problems("tls_certificate = a.pem\n"),
              Problems{"w.ini:4: [backend \"go\"] tls_key: missing; expected a file, as tls_certificate is given"});
    EXPECT_EQ(problems("tls_certificate = a.pem\ntls_key = b.key\n"),
              Problems{"w.ini:8: [backend \"go\"] tls_key: not the key of the certificate; expected the private key of "
                       "a.pem; got b.key"});
    EXPECT_EQ(problems("tls_certificate = a.key\ntls_key = a.pem\n"),
              (Problems{"w.ini:7: [backend \"go\"] tls_certificate: no certificate in this file; expected a PEM file "
                        "that begins with -----BEGIN CERTIFICATE-----; got a.key",
                        "w.ini:8: [backend \"go\"] tls_key: no usable private key in this file; expected a PEM file "
                        "with a private key, without a passphrase; got a.pem"}));
    EXPECT_EQ(problems("tls_ca_file = a.key\n"),
              Problems{"w.ini:7: [backend \"go\"] tls_ca_file: no certificate in this file; expected a PEM file that "
                       "begins with -----BEGIN CERTIFICATE-----; got a.key"});
    if (::geteuid() != 0) { // whom no mode stops
        std::filesystem::permissions(folder.path() / "b.key", std::filesystem::perms::none);
        EXPECT_EQ(problems("tls_certificate = b.pem\ntls_key = b.key\n"),
                  Problems{"w.ini:8: [backend \"go\"] tls_key: cannot be read: Permission denied; expected a PEM file; "
                           "got b.key"});
    }
    EXPECT_EQ(folder.problems(with_server("[mount \"a\"]\nupstream = https://up\ntls_ca_file = a.key\n")),
              Problems{"w.ini:6: [mount \"a\"] tls_ca_file: no certificate in this file; expected a PEM file that "
                       "begins with -----BEGIN CERTIFICATE-----; got a.key"});
    EXPECT_EQ(
        problems("tls_ca_file = plugins\n"),
        Problems{"w.ini:7: [backend \"go\"] tls_ca_file: cannot be read: not a regular file; expected a PEM file; got "
                 "plugins"});
}

TEST(BadConfig, state_scopes) {
    const auto with_scopes = [](std::string_view backend, std::string_view credential) {
        return parts({server_part, "[backend \"go\"]\nadapter = url\nbase_url = https://up\n", backend,
                      "[credential \"go\" \"k\"]\napi_key = public:x\n", credential, "[upstream-model \"go\" \"m\"]\n",
                      model_part});
    };
    expect_all({
        {with_scopes("state_scope = two words\n", ""),
         {"w.ini:7: [backend \"go\"] state_scope: not a name; expected letters, digits, -, _ and . only, at most 64; "
          "got two words"}},
        {with_scopes("", "state_scope =\n"),
         {"w.ini:9: [credential \"go\" \"k\"] state_scope: not a name; expected letters, digits, -, _ and . only, at "
          "most 64; got nothing"}},
    });
}

TEST(BadConfig, sections) {
    expect_all({
        {with_server("[sever]\n"),
         {"w.ini:4: [sever]: unknown section; did you mean server?; expected one of server, backend, credential, "
          "upstream-model, model, layer, mount, client"}},
        {with_server("[fallbakcs]\n"),
         {"w.ini:4: [fallbakcs]: unknown section; expected one of server, backend, credential, upstream-model, "
          "model, layer, mount, client"}},
        {with_server("[server]\n"), {"w.ini:4: [server]: section given twice; expected once; the first is on line 1"}},
        {with_server("[model]\n"), {"w.ini:4: [model]: wrong number of names; expected [model \"name\"]"}},
        {with_server("[model \" \"]\n"), {"w.ini:4: [model \" \"]: blank name; expected [model \"name\"]"}},
        {with_server("[model \" a\"]\n"), {"w.ini:4: [model \" a\"]: name with spaces around it; expected \"a\""}},
        {with_server("[backend \"a/b\"]\n"),
         {"w.ini:4: [backend \"a/b\"]: name with a slash or a space; expected a name that a target can be written "
          "with"}},
        {with_model("[model \"a\"]\n[model \"a\"]\n[layer \"a\" \"l\"]\ntarget = go/k m\n"),
         {"w.ini:11: [model \"a\"]: section given twice; expected once; the first is on line 10"}},
        {with_model("[credential \"go\" \"k\"]\napi_key = public:y\n"),
         {"w.ini:10: [credential \"go\" \"k\"]: section given twice; expected once; the first is on line 7"}},
        {with_server("listen\n[broken\n[nonsense]\n"),
         {"w.ini:4: not understood; expected \"key = value\" with a key of a-z, 0-9 and _, a [section], or a comment",
          "w.ini:5: section header without its end; expected ] at the end of the line",
          "w.ini:6: [nonsense]: unknown section; expected one of server, backend, credential, upstream-model, model, "
          "layer, mount, client"}},
    });
}

TEST(BadConfig, server) {
    expect_all({
        {with_server("lisetn = 127.0.0.1:1\n"), {"w.ini:4: [server] lisetn: unknown key; did you mean listen?"}},
        {with_server("zzzz = secret\n"), {"w.ini:4: [server] zzzz: unknown key"}},
        {with_server("log = debug\nlog = debug\n"),
         {"w.ini:5: [server] log: given twice; expected once; the first is on line 4"}},
        {with_server("route_probe_wait_ms = 5000\n"),
         {"w.ini:4: [server] route_probe_wait_ms: unknown key; expected route_probe_wait with the unit in its value"}},
        {with_server("max_inference_body_bytes = 1\n"),
         {"w.ini:4: [server] max_inference_body_bytes: unknown key; expected max_inference_body with the unit in its "
          "value"}},
        {with_server("route_probe_wait = 5000\n"),
         {"w.ini:4: [server] route_probe_wait: a duration without a unit; expected a unit after the number, as in "
          "200ms, 30s, 5m or 1h; got 5000"}},
        {with_server("max_inference_body = 32MB\n"),
         {"w.ini:4: [server] max_inference_body: not a size; expected a whole number and a unit, as in 512B, 64KiB or "
          "32MiB; got 32MB"}},
        {with_server("max_pins = all\npin_age = 0s\n"),
         {"w.ini:4: [server] max_pins: not a whole number; expected a whole number from 0 to 10000000; got all",
          "w.ini:5: [server] pin_age: out of range; expected a duration from 1ms to 8760h; got 0s"}},
        {with_server("upstream_connect = 0s\n"),
         {"w.ini:4: [server] upstream_connect: out of range; expected a duration from 1ms to 8760h; got 0s"}},
        {with_server("upstream_connect =\n"),
         {"w.ini:4: [server] upstream_connect: not a duration; expected a whole number and a unit, as in 200ms, 30s, "
          "5m or 1h; got nothing"}},
        {with_server("upstream_total = 100s\n"),
         {"w.ini:4: [server] upstream_total: shorter than upstream_stream_read; expected at least 5m, or a shorter "
          "upstream_stream_read; got 100s"}},
        {with_server("upstream_read = 3h\n"),
         {"w.ini:4: [server] upstream_read: longer than upstream_total; expected at most 2h, or a longer "
          "upstream_total; got 3h"}},
        {with_server("workers = 0\n"),
         {"w.ini:4: [server] workers: out of range; expected a whole number from 1 to 256; got 0"}},
        {with_server("loops = -1\n"),
         {"w.ini:4: [server] loops: out of range; expected a whole number from 0 to 256; got -1"}},
        {with_server("health_endpoints = \"true\"\n"),
         {"w.ini:4: [server] health_endpoints: not yes or no; expected yes or no (or true, false, on, off); got "
          "\"true\""}},
        {with_server("log = loud\n"),
         {"w.ini:4: [server] log: not one of the words it may be; expected fatal, critical, error, warning, notice, "
          "information, debug, trace; got loud"}},
        {with_server("listen = :8080\n"),
         {"w.ini:4: [server] listen: not an address to listen on; expected 0.0.0.0:8080 for every interface, "
          "127.0.0.1:8080 for this machine; got :8080"}},
        {with_server("listen = localhost:8080\n"),
         {"w.ini:4: [server] listen: not an address to listen on; expected an IP address and a port, "
          "as in 127.0.0.1:8080 or [::1]:8080; got localhost:8080"}},
        {with_server("listen = 0.0.0.0:8080\n"),
         {"w.ini:4: [server] listen: reachable from other machines while no client is configured; expected a [client "
          "\"name\"] section, a "
          "loopback address, or allow_anonymous = yes; got 0.0.0.0:8080"}},
        {with_server("tls_key = w.ini\n"),
         {"w.ini:1: [server] tls_certificate: missing; expected a file, as tls_key is given"}},
        {with_server("tls_certificate = w.ini\ntls_key = no.pem\n"),
         {"w.ini:4: [server] tls_certificate: no certificate in this file; expected a PEM file that begins with "
          "-----BEGIN CERTIFICATE-----; got w.ini",
          "w.ini:5: [server] tls_key: cannot be read: No such file or directory; expected a PEM file; got no.pem"}},
        {with_server("admin_listen = 0.0.0.0:8081\n"),
         {"w.ini:4: [server] admin_listen: reachable from other machines without a key; expected admin_key in this "
          "section, or a loopback address; got 0.0.0.0:8081"}},
        {with_server("admin_listen = localhost\n"),
         {"w.ini:4: [server] admin_listen: not an address to listen on; expected an IP address and a port, as in "
          "127.0.0.1:8080 or [::1]:8080; got localhost"}},
        {with_server("admin_listen = 127.0.0.1:8080\n"),
         {"w.ini:4: [server] admin_listen: the same address as listen; expected a port of its own; got "
          "127.0.0.1:8080"}},
        {with_server("metrics_listen = localhost\n"),
         {"w.ini:4: [server] metrics_listen: not an address to listen on; expected an IP address and a port, as in "
          "127.0.0.1:8080 or [::1]:8080; got localhost"}},
        {with_server("metrics_listen = 127.0.0.1:8080\n"),
         {"w.ini:4: [server] metrics_listen: the same address as listen; expected a port of its own; got "
          "127.0.0.1:8080"}},
        {with_server("admin_listen = 127.0.0.1:8081\nmetrics_listen = 127.0.0.1:8081\n"),
         {"w.ini:5: [server] metrics_listen: the same address as admin_listen; expected a port of its own; got "
          "127.0.0.1:8081"}},
        {with_server("admin_key = public:x\n"),
         {"w.ini:4: [server] admin_key: no effect without admin_listen; expected admin_listen in this section"}},
        {"[server]\nplugins = nowhere\npolicies = policies\n",
         {"w.ini:2: [server] plugins: no such folder; expected the folder of the plugins; got nowhere"}},
        {"[server]\nplugins = plugins\npolicies = plugins\n",
         {"w.ini:3: [server] policies: no such policy; expected the script plugins/failure/generic.lua; got plugins",
          "w.ini:3: [server] policies: no such policy; expected the script plugins/failure/schedules.lua; got "
          "plugins"}},
        {"[server]\nplugins =\npolicies = policies\n",
         {"w.ini:2: [server] plugins: empty; expected a path, relative to this file's folder or absolute; got "
          "nothing"}},
    });
}

TEST(BadConfig, backends) {
    const std::string loaded = "expected one of those loaded: url, base, own, picky, keyless, custom-chat-completions, "
                               "custom-responses, custom-anthropic";
    const std::string model = "[upstream-model \"go\" \"m\"]\n";
    expect_all({
        {with_backend("") + model, {"w.ini:4: [backend \"go\"] adapter: missing; " + loaded}},
        {with_backend("adapter = custom-antropic\n") + model,
         {"w.ini:5: [backend \"go\"] adapter: no such adapter; did you mean custom-anthropic?; " + loaded +
          "; got custom-antropic"}},
        {with_backend("adapter = url\n") + model,
         {"w.ini:4: [backend \"go\"] base_url: missing; expected exactly one of base_url (as in "
          "https://api.example.com/v1) and endpoint (a "
          "complete URL)"}},
        {with_backend("adapter = url\nbase_url = http://a\nendpoint = http://b\n") + model,
         {"w.ini:7: [backend \"go\"] endpoint: given beside base_url; expected exactly one of endpoint and base_url"}},
        {with_backend("adapter = base\n") + model,
         {"w.ini:4: [backend \"go\"] base_url: missing; expected the provider's base URL, as in "
          "https://api.example.com/v1"}},
        {with_backend("adapter = base\nbase_url = http://a\nendpoint = http://a\n") + model,
         {"w.ini:7: [backend \"go\"] endpoint: adapter base takes base_url; expected this key left out"}},
        {with_backend("adapter = url\nbase_url = up:9000\n") + model,
         {"w.ini:6: [backend \"go\"] base_url: a URL without a scheme; expected https://up:9000 or http://up:9000; got "
          "up:9000"}},
        {with_backend("adapter = url\nbase_url = http://a:b@up\n") + model,
         {"w.ini:6: [backend \"go\"] base_url: a URL with a user or password; expected the key in a [credential] "
          "section"}},
        {with_backend("adapter = own\naccount = 7\nbase_url = http://a\n") + "[upstream-model \"go\" \"small\"]\n",
         {"w.ini:7: [backend \"go\"] base_url: adapter own knows its own endpoint; expected this key left out"}},
        {with_backend("adapter = own\n") + "[upstream-model \"go\" \"small\"]\n",
         {"w.ini:4: [backend \"go\"] account: missing; expected an account number"}},
        {with_backend("adapter = own\naccount = 7\n") + "[upstream-model \"go\" \"smal\"]\n",
         {"w.ini:9: [upstream-model \"go\" \"smal\"]: adapter own has no model \"smal\"; did you mean small?; expected "
          "one of small, large"}},
        {with_backend("adapter = picky\nbase_url = http://up\n") + model,
         {"w.ini:6: [backend \"go\"] base_url: this host is not served"}},
        {with_backend("adapter = url\nbase_url = http://up\npatience = 5\nstrict = 1\ndepth = x\nroom = 1\nsite = "
                      "up\nregion =\n") +
             model,
         {"w.ini:7: [backend \"go\"] patience: a duration without a unit; expected a unit after the number, as in "
          "200ms, 30s, 5m or 1h; got 5",
          "w.ini:8: [backend \"go\"] strict: not yes or no; expected yes or no (or true, false, on, off); got 1",
          "w.ini:9: [backend \"go\"] depth: not a whole number; expected a whole number from 0 to 9223372036854775807; "
          "got x",
          "w.ini:10: [backend \"go\"] room: a size without a unit; expected a unit after the number, as in 512B, 64KiB "
          "or 32MiB; got 1",
          "w.ini:11: [backend \"go\"] site: a URL without a scheme; expected https://up or http://up; got up",
          "w.ini:12: [backend \"go\"] region: empty; expected a region; got nothing"}},
        {with_backend("adapter = url\nbase_url = http://up\nstream_usage = true\n") + model,
         {"w.ini:7: [backend \"go\"] stream_usage: unknown key"}},
        {with_backend("adapter = url\nbase_url = http://up\nconcurency = 3\n") + model,
         {"w.ini:7: [backend \"go\"] concurency: unknown key; did you mean concurrency?"}},
        {with_backend("adapter = url\nbase_url = http://up\nconcurrency = 0\n") + model,
         {"w.ini:7: [backend \"go\"] concurrency: out of range; expected a whole number from 1 to 1000000; got 0"}},
        {parts({server_part, "[backend \"go\"]\nadapter = url\nbase_url = http://up\nqueue_depth = 5\n"
                             "[credential \"go\" \"k\"]\napi_key = public:x\nconcurrency = 0\n"}) +
             model,
         {"w.ini:10: [credential \"go\" \"k\"] concurrency: out of range; expected a whole number from 1 to 1000000; "
          "got "
          "0"}},
        {with_backend("adapter = url\nbase_url = http://up\nconcurrency = 1\nqueue_order = lifo\n") + model,
         {"w.ini:8: [backend \"go\"] queue_order: not an order of waiting; did you mean fifo?; expected fair or "
          "fifo; got lifo"}},
        {with_backend("adapter = url\nbase_url = http://up\nqueue_depth = 5\n") + model,
         {"w.ini:7: [backend \"go\"] queue_depth: no effect without concurrency; expected concurrency in this "
          "section or of one of its credentials"}},
        {with_backend("adapter = url\nbase_url = http://up\nrelease_cooldown = 1s\n") + model,
         {"w.ini:7: [backend \"go\"] release_cooldown: no effect without concurrency; expected concurrency in this "
          "section or of one of its credentials"}},
        {with_backend("adapter = url\nbase_url = http://up\nupstream_total = 1s\nupstream_read = "
                      "1s\nupstream_stream_read = 1s\n") +
             model,
         {"w.ini:7: [backend \"go\"] upstream_total: shorter than upstream_connect; expected at least 10s, or a "
          "shorter upstream_connect; got 1s"}},
        {with_backend("adapter = url\nbase_url = http://up\ntls_ca_file = no.pem\n") + model,
         {"w.ini:7: [backend \"go\"] tls_ca_file: cannot be read: No such file or directory; expected a PEM "
          "file; got no.pem"}},
        {with_backend("adapter = url\nbase_url = http://up\nfailure_policy = ../x\n") + model,
         {"w.ini:7: [backend \"go\"] failure_policy: not the name of a policy; expected a-z, 0-9, - and _, without a "
          "folder or .lua; got ../x"}},
        {with_backend("adapter = url\nbase_url = http://up\nfailure_policy = schedules\n") + model,
         {"w.ini:7: [backend \"go\"] failure_policy: says how long circuits stay open, and classifies nothing; "
          "expected "
          "a classification, as generic; got schedules"}},
        {with_backend("adapter = url\nbase_url = http://up\nfailure_policy = strict\n") + model,
         {"w.ini:7: [backend \"go\"] failure_policy: no such policy; expected the script policies/failure/strict.lua, "
          "or "
          "one of those there: generic, own_rules; got strict"}},
        {with_server("[backend \"go\"]\nadapter = url\nbase_url = http://up\n"),
         {"w.ini:4: [backend \"go\"]: backend without credential; expected a section [credential \"go\" \"…\"]",
          "w.ini:4: [backend \"go\"]: backend without upstream-model; expected a section [upstream-model \"go\" "
          "\"…\"]"}},
    });
}

// What was meant for the other key: it would be asked for a path that is not there.
TEST(BadConfig, addresses_of_the_other_kind) {
    const std::string model = "[upstream-model \"go\" \"m\"]\n";
    const auto complete = [](std::string_view url) {
        return "w.ini:6: [backend \"go\"] base_url: a complete URL, to which the adapter would add "
               "/v1/chat/completions; expected endpoint = for a complete URL, or here the URL without "
               "/chat/completions; got " +
               std::string(url);
    };
    const auto with_url = [&](std::string_view key, std::string_view url) {
        return with_backend(parts({"adapter = custom-chat-completions\n", key, " = ", url, "\n"})) + model;
    };
    expect_all({
        {with_url("base_url", "http://up/v1/chat/completions"), {complete("http://up/v1/chat/completions")}},
        {with_url("base_url", "http://up/api/chat/completions/"), {complete("http://up/api/chat/completions/")}},
        {with_url("base_url", "http://up/v1"), {}},
        {with_url("base_url", "http://up"), {}},
        {with_url("endpoint", "http://up/v1/"),
         {"w.ini:6: [backend \"go\"] endpoint: a base URL, to which nothing would be added; expected base_url = for "
          "it, or here the complete URL, with /chat/completions; got http://up/v1/"}},
        {with_url("endpoint", "http://up/v1/chat/completions"), {}},
        {with_url("endpoint", "http://up/generate?key=v1"), {}},
        {with_backend("adapter = base\nbase_url = http://up/v1/messages\n") + model,
         {"w.ini:6: [backend \"go\"] base_url: a complete URL, to which the adapter would add /v1/messages; expected "
          "the URL without /messages; got http://up/v1/messages"}},
    });
}

TEST(BadConfig, keys_of_another_section) {
    const std::string model = "[upstream-model \"go\" \"m\"]\n", layer = "[layer \"a\" \"l\"]\ntarget = go/k m\n";
    expect_all({
        {with_backend("adapter = url\nbase_url = http://up\napi_key = sk-1\n") + model,
         {"w.ini:7: [backend \"go\"] api_key: unknown key; expected it in [credential]"}},
        {with_model("[model \"a\"]\nstrategy = random\nconcurrency = 2\n" + layer),
         {"w.ini:11: [model \"a\"] strategy: unknown key; expected one of aliases, protocols, or it in [layer]",
          "w.ini:12: [model \"a\"] concurrency: unknown key; expected one of aliases, protocols, or it in [backend], "
          "[credential], [mount]"}},
        {with_model("[model \"a\"]\n" + layer + "priority = high\n"),
         {"w.ini:13: [layer \"a\" \"l\"] priority: unknown key; expected one of strategy, target, or it in [client]"}},
        {with_server("[mount \"a\"]\nupstream = http://up\nbase_url = http://up\napi_key = sk-1\nregion = eu\n"),
         {"w.ini:6: [mount \"a\"] base_url: unknown key; expected it in [backend]",
          "w.ini:7: [mount \"a\"] api_key: unknown key; expected it in [credential]",
          "w.ini:8: [mount \"a\"] region: unknown key; expected it in [backend]"}},
        {with_model("[credential \"go\" \"l\"]\napi_key = public:x\nkey = sk-1\n"),
         {"w.ini:12: [credential \"go\" \"l\"] key: unknown key; expected one of api_key, concurrency, state_scope, or "
          "it in [client]"}},
        {with_server("api_key =\n"), {"w.ini:4: [server] api_key: unknown key; expected it in [credential]"}},
    });
}

// One mistake, one message: what refers to a section that was refused is none of its own.
TEST(BadConfig, no_more_than_the_mistake) {
    const std::string credential = "[credential \"mi ne\" \"k\"]\napi_key = public:x\n",
                      rest = "[upstream-model \"mi ne\" \"m\"]\n[model \"a\"]\n[layer \"a\" \"l\"]\n";
    expect_all({
        {with_server("[backend \"mi ne\"]\nadapter = url\nbase_url = http://up\n" + credential + rest +
                     "target = mi ne/k m\n"),
         {"w.ini:4: [backend \"mi ne\"]: name with a slash or a space; expected a name that a target can be written "
          "with"}},
        {with_server("[backend go]\nadapter = url\nbase_url = http://up\n[credential \"go\" \"k\"]\napi_key = "
                     "public:x\n[upstream-model \"go\" \"m\"]\n") +
             std::string(model_part),
         {"w.ini:4: section header with a name without quotes; expected [kind] or [kind \"name\"] or [kind \"name\" "
          "\"name\"]"}},
        {with_server("[backend \"go\"]\nadapter = url\nbase_url = http://up\n[credential \"go\"]\napi_key = "
                     "public:x\n[upstream-model \"go\" \"m\"]\n") +
             std::string(model_part),
         {"w.ini:7: [credential \"go\"]: wrong number of names; expected [credential \"backend\" \"name\"]"}},
        {with_model("[modle \"a\"]\n[layer \"a\" \"l\"]\ntarget = go/k m\n"),
         {"w.ini:10: [modle \"a\"]: unknown section; did you mean model?; expected one of server, backend, credential, "
          "upstream-model, model, layer, mount, client"}},
        {with_model("[model \"a\"]\n[layer \"a\"]\ntarget = go/k m\n"),
         {"w.ini:11: [layer \"a\"]: wrong number of names; expected [layer \"model\" \"name\"]"}},
        {with_server("listen = 0.0.0.0:80\n[client 'bob']\nkey = public:x\nworkers = 0\n"),
         {"w.ini:5: section header with single quotes; expected \" around names"}},
    });
    const ConfigFolder folder;
    folder.write("[Server]\nplugins = plugins\npolicies = policies\n");
    const auto preamble = wm::config::load_preamble(folder.file());
    ASSERT_FALSE(preamble);
    EXPECT_EQ(folder.without_folder(preamble.error()),
              std::vector<std::string>{"w.ini:1: section header with capitals; expected its kind in small letters"});
}

TEST(BadConfig, names_of_providers) {
    expect_all({
        {with_backend("adapter = url\nbase_url = http://up\n") +
             "[upstream-model \"go\" \"m\"]\n[mount \"go\"]\nupstream = http://up\n",
         {"w.ini:10: [mount \"go\"]: the name of [backend \"go\"] too, on line 4; expected a name of its own: metrics "
          "and logs tell them by it"}},
        {with_server("[mount \"gateway\"]\nupstream = http://up\n"),
         {"w.ini:4: [mount \"gateway\"]: the name under which the gateway counts its own refusals; expected another "
          "name"}},
        {with_server("[backend \"gateway\"]\nadapter = url\nbase_url = http://up\n[credential \"gateway\" "
                     "\"k\"]\napi_key = public:x\n[upstream-model \"gateway\" \"m\"]\n"),
         {"w.ini:4: [backend \"gateway\"]: the name under which the gateway counts its own refusals; expected another "
          "name"}},
    });
}

TEST(BadConfig, access_logs) {
    const auto word = [](const std::string& text) {
        return "w.ini:4: [server] access_log: a word in place of a file; expected nothing after the = for no access "
               "log, - for standard output, or a path; ./" +
               text + " for a file of this name; got " + text;
    };
    expect_all({
        {with_server("access_log = none\n"), {word("none")}},
        {with_server("access_log = Off\n"), {word("Off")}},
        {with_server("access_log = no\n"), {word("no")}},
        {with_server("access_log = ./none\n"), {}},
        {with_server("access_log = /dev/null\n"), {}},
        {with_server("access_log =\n"), {}},
        {with_server("access_log = nowhere/access.log\n"),
         {"w.ini:4: [server] access_log: in no folder that is there; expected a file in one that is; got "
          "nowhere/access.log"}},
        {with_server("access_log = plugins\n"),
         {"w.ini:4: [server] access_log: a folder; expected a file, which is made if it is not there; got plugins"}},
    });
}

TEST(BadConfig, words_that_were_meant) {
    expect_all({
        {with_server("log = info\n"),
         {"w.ini:4: [server] log: not one of the words it may be; did you mean information?; expected fatal, critical, "
          "error, warning, notice, information, debug, trace; got info"}},
        {with_server("log = ERROR\n"),
         {"w.ini:4: [server] log: not one of the words it may be; did you mean error?; expected fatal, critical, "
          "error, warning, notice, information, debug, trace; got ERROR"}},
        {with_server("[client \"a\"]\nkey = one\npriority = hihg\n"),
         {"w.ini:6: [client \"a\"] priority: not a priority; did you mean high?; expected low, medium or high; got "
          "hihg"}},
        {with_model("[model \"a\"]\n[layer \"a\" \"l\"]\ntarget = go/k m\nstrategy = queue\n"),
         {"w.ini:13: [layer \"a\" \"l\"] strategy: orders who waits for a permit, and no targets; expected an "
          "ordering, "
          "as random; got queue"}},
        {with_model("[model \"a\"]\n[layer \"a\" \"l\"]\ntarget = go/k m\nstrategy = randon\n"),
         {"w.ini:13: [layer \"a\" \"l\"] strategy: no such policy; did you mean random?; expected the script "
          "policies/allocation/randon.lua, or one of those there: random; got randon"}},
    });
}

TEST(BadConfig, credentials_and_upstream_models) {
    expect_all({
        {with_model("[credential \"goo\" \"k\"]\napi_key = public:x\n"),
         {"w.ini:10: [credential \"goo\" \"k\"]: no backend \"goo\"; did you mean go?; expected one of those "
          "configured: go"}},
        {with_model("[credential \"go\" \"l\"]\n"),
         {"w.ini:10: [credential \"go\" \"l\"] api_key: missing; expected env:NAME, file:PATH or the key"}},
        {with_model("[credential \"go\" \"l\"]\napi_key = ${UNSET}\n"),
         {"w.ini:11: [credential \"go\" \"l\"] api_key: variables are not expanded; expected env:NAME"}},
        {with_model("[credential \"go\" \"l\"]\napi_key = env:WM_TEST_NOT_SET\n"),
         {"w.ini:11: [credential \"go\" \"l\"] api_key: environment variable WM_TEST_NOT_SET is not set; expected a "
          "key in it"}},
        {with_model("[credential \"go\" \"l\"]\napi_keys = sk-1\napi_key = public:x\n"),
         {"w.ini:11: [credential \"go\" \"l\"] api_keys: unknown key; did you mean api_key?"}},
        {with_model("[upstream-model \"go\" \"n\"]\nprotocols = openai-chat, openai-caht, openai-chat\n"),
         {"w.ini:11: [upstream-model \"go\" \"n\"] protocols: adapter url does not speak openai-caht with this model; "
          "did you mean openai-chat?; "
          "expected of openai-chat, anthropic-messages; got openai-chat, openai-caht, openai-chat",
          "w.ini:11: [upstream-model \"go\" \"n\"] protocols: openai-chat given twice; expected each protocol once; "
          "got openai-chat, openai-caht, "
          "openai-chat"}},
        {with_model("[upstream-model \"go\" \"n\"]\nprotocols =\n"),
         {"w.ini:11: [upstream-model \"go\" \"n\"] protocols: empty; expected one or more names with commas between "
          "them; got nothing"}},
    });
}

TEST(BadConfig, a_literal_key_in_a_file_others_may_read) {
    const ConfigFolder folder;
    EXPECT_EQ(
        folder.problems(with_model("[credential \"go\" \"l\"]\napi_key = sk-canary\n"), true),
        std::vector<std::string>{
            "w.ini:11: [credential \"go\" \"l\"] api_key: a literal secret in a file that group or others may read; "
            "expected env:NAME or file:PATH, or chmod 600 of this file (public:VALUE for a key that is no secret)"});
    EXPECT_TRUE(folder.problems(with_model("[credential \"go\" \"l\"]\napi_key = sk-canary\n")).empty());
}

TEST(BadConfig, models_and_layers) {
    expect_all({
        {with_model("[model \"a\"]\n"),
         {"w.ini:10: [model \"a\"]: model without layer; expected a section [layer \"a\" \"…\"]"}},
        {with_model("[model \"a\"]\n[layer \"a\" \"l\"]\n"),
         {"w.ini:11: [layer \"a\" \"l\"] target: missing; expected one or more lines target = backend/credential "
          "upstream-model"}},
        {with_model("[layer \"a\" \"l\"]\ntarget = go/k m\n"),
         {"w.ini:10: [layer \"a\" \"l\"]: no model \"a\"; expected one of those configured: none"}},
        {with_model("[model \"a\"]\n[layer \"a\" \"l\"]\ntarget = missing\n"),
         {"w.ini:12: [layer \"a\" \"l\"] target: not a target; expected backend/credential upstream-model; got "
          "missing"}},
        {with_model("[model \"a\"]\n[layer \"a\" \"l\"]\ntarget = og/k m\ntarget = go/q m\ntarget = go/k q\n"),
         {"w.ini:12: [layer \"a\" \"l\"] target: no backend og; did you mean go?; expected one of those configured: "
          "go; got og/k m",
          "w.ini:13: [layer \"a\" \"l\"] target: no credential of backend go called q; did you mean k?; expected one "
          "of those configured: k; got "
          "go/q m",
          "w.ini:14: [layer \"a\" \"l\"] target: no upstream-model of backend go called q; did you mean m?; expected "
          "one of those configured: m; "
          "got go/k q"}},
        {with_model("[model \"a\"]\n[layer \"a\" \"l\"]\ntarget = go/k m\ntarget = go/k  m\n"),
         {"w.ini:13: [layer \"a\" \"l\"] target: target given twice in this layer; expected once; the first is on line "
          "12; got go/k  m"}},
        {with_model("[model \"a\"]\n[layer \"a\" \"l\"]\ntarget = go/k m\nstrategy = prompt-prefix-affinity\n"),
         {"w.ini:13: [layer \"a\" \"l\"] strategy: no such policy; expected the script "
          "policies/allocation/prompt_prefix_affinity.lua, or one of those there: random; got "
          "prompt-prefix-affinity"}},
        {with_model("[model \"a\"]\naliases = b, a\n[layer \"a\" \"l\"]\ntarget = go/k m\n[model \"b\"]\n[layer \"b\" "
                    "\"l\"]\ntarget = go/k m\n"),
         {"w.ini:11: [model \"a\"] aliases: public name a already taken; expected a name no other model or alias has; "
          "the first is on line 10; got "
          "b, a",
          "w.ini:14: [model \"b\"]: public name already taken; expected a name no other model or alias has; the first "
          "is on line 11"}},
        {with_model("[model \"a\"]\nprotocols = openai-responses\n[layer \"a\" \"l\"]\ntarget = go/k m\n"),
         {"w.ini:11: [model \"a\"] protocols: openai-responses is not spoken by target go/k m, and cannot be "
          "translated for it; expected protocols that every target of the model speaks, or that translate into one it "
          "speaks; got openai-responses"}},
        {with_model("[model \"a\"]\nprotocols = gemini\n[layer \"a\" \"l\"]\ntarget = go/k m\n"),
         {"w.ini:11: [model \"a\"] protocols: no transcoder for gemini; expected of those loaded: openai-chat, "
          "openai-responses, "
          "anthropic-messages, or the plugin of gemini in plugins, a folder with plugin.ini; got gemini"}},
        {with_model("[backend \"b\"]\nadapter = own\naccount = 1\n[credential \"b\" \"k\"]\napi_key = "
                    "public:x\n[upstream-model \"b\" \"small\"]\n"
                    "[upstream-model \"go\" \"n\"]\nprotocols = anthropic-messages\n"
                    "[model \"a\"]\n[layer \"a\" \"l\"]\ntarget = go/k n\ntarget = b/k small\n"),
         {"w.ini:18: [model \"a\"]: no protocol that every target speaks or can be translated for; "
          "expected one in common, of "
          "those loaded: openai-chat, openai-responses, anthropic-messages; got go/k n speaks anthropic-messages; b/k "
          "small speaks openai-chat"}},
    });
}

TEST(BadConfig, clients) {
    expect_all({
        {with_server("[client \"a\"]\n"),
         {"w.ini:4: [client \"a\"] key: missing; expected env:NAME, file:PATH or the key"}},
        {with_server("[client \"a\"]\nkey = one\nkey = two\n[client \"b\"]\nkey = two\n"),
         {"w.ini:8: [client \"b\"] key: the same key as on line 6; expected a key of its own"}},
        {with_server("[client \"a\"]\nkey = one\npriority = urgent\n"),
         {"w.ini:6: [client \"a\"] priority: not a priority; expected low, medium or high; got urgent"}},
        {with_server("[client \"a\"]\nkey = one\npriority = high\nmax_priority = low\n"),
         {"w.ini:6: [client \"a\"] priority: above max_priority; expected at most low; got high"}},
        {with_server("[client \"a\"]\nkey = one\nmax_priority = low\n"),
         {"w.ini:6: [client \"a\"] max_priority: below priority; expected at least medium; got low"}},
        {with_server("[client \"a\"]\nkey = one\ntenant = auth:t\n"),
         {"w.ini:6: [client \"a\"] tenant: a tenant with its prefix; expected t; got auth:t"}},
        {with_server("[client \"a\"]\nkey = one\nkeys = two\n"),
         {"w.ini:6: [client \"a\"] keys: unknown key; did you mean key?"}},
    });
}

TEST(BadConfig, everything_at_once_in_file_order) {
    expect_all(
        {{parts({server_part, "workers = 0\n[modle \"x\"]\nsk-canary\n[client \"a\"]\nkye = sk-canary\n"}),
          {"w.ini:4: [server] workers: out of range; expected a whole number from 1 to 256; got 0",
           "w.ini:5: [modle \"x\"]: unknown section; did you mean model?; expected one of server, backend, credential, "
           "upstream-model, "
           "model, layer, mount, client",
           "w.ini:6: not understood; expected \"key = value\" with a key of a-z, 0-9 and _, a [section], or a comment",
           "w.ini:7: [client \"a\"] key: missing; expected env:NAME, file:PATH or the key",
           "w.ini:8: [client \"a\"] kye: unknown key; did you mean key?"}}});
}

// C60's bad configurations, as far as this file can say them, each refused by name.
TEST(BadConfig, case_C60) {
    const std::string up = "adapter = url\nbase_url = http://up\n", model = "[upstream-model \"go\" \"m\"]\n";
    const auto layer = [](std::string_view lines) {
        return with_model(parts({"[model \"a\"]\n[layer \"a\" \"l\"]\n", lines}));
    };
    const std::vector<std::pair<std::string, std::string>> rows = {
        {with_server("[breaker]\nhalf_open_max = 0\n"), "w.ini:4: [breaker]: unknown section"},
        {with_server("[breaker]\nfailures_to_open = -1\n"), "w.ini:4: [breaker]: unknown section"},
        {with_backend(up + "concurrency = 0\n") + model, "w.ini:7: [backend \"go\"] concurrency: out of range"},
        {with_server("max_fields = \"3\"\n"), "w.ini:4: [server] max_fields: not a whole number"},
        {with_backend(up + "tls_verify = \"true\"\n") + model, "w.ini:7: [backend \"go\"] tls_verify: not yes or no"},
        {layer("target = go/k m\ntarget = go/k m\n"), "w.ini:13: [layer \"a\" \"l\"] target: target given twice"},
        {layer("target = missing/k m\n"), "w.ini:12: [layer \"a\" \"l\"] target: no backend missing"},
        {with_backend("adapter = url\nbase_url = up:9000\n") + model,
         "w.ini:6: [backend \"go\"] base_url: a URL without a scheme"},
        {with_model("[credential \"go\" \"l\"]\napi_key = ${UNSET}\n"),
         "w.ini:11: [credential \"go\" \"l\"] api_key: variables are not"},
        {with_server("[fallbakcs]\n"), "w.ini:4: [fallbakcs]: unknown section"},
    };
    const ConfigFolder folder;
    for (const auto& [text, starts] : rows) {
        const auto problems = folder.problems(text);
        ASSERT_EQ(problems.size(), 1u) << text;
        EXPECT_EQ(problems[0].rfind(starts, 0), 0u) << problems[0];
    }
}
