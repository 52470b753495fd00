#pragma once
// Circuits that outlive the process: a suspended key stays suspended, and a provider that asked for an hour gets it.
//
// One JSON document, written anew by a thread of its own a moment after a change, and renamed into place. It holds no
// name and no key: circuits are told apart by digests under a salt of the file's own.
#include "base/clock.h"
#include "base/digest.h"
#include "routing/circuit_store.h"

#include <condition_variable>
#include <filesystem>
#include <thread>

namespace wm::routing {

class CircuitFile final : public CircuitStore {
  public:
    // Makes the folder, for this user alone, and reads the file, if it is there. One that cannot be read is told in the
    // log and begun anew: circuits are advice. Throws std::runtime_error where the folder cannot be made.
    CircuitFile(const std::filesystem::path& folder, const Clock& clock);
    ~CircuitFile() override; // writes what is not written yet

    std::optional<CircuitSnapshot> find(const std::string& circuit) const override;
    void save(const std::string& circuit, const CircuitSnapshot& snapshot) noexcept override;

  private:
    using Saved = std::unordered_map<Digest, CircuitSnapshot, DigestHash>;

    Digest digest(const std::string& circuit) const { return Digester(salt_).add(circuit).finish(); }
    void read();
    void write_all();
    void write(const std::string& document);

    const std::filesystem::path file_;
    const Clock& clock_;
    DigestKey salt_;
    mutable std::mutex mutex_; // of what follows
    std::condition_variable changed_;
    Saved saved_;
    bool dirty_ = false, stopping_ = false;
    bool told_ = false; // that it cannot be written; the writer's
    std::thread writer_;
};

} // namespace wm::routing
