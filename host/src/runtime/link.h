#pragma once
// Intrusive doubly linked list: entries live where they are needed (mostly in coroutine frames), so waiting
// allocates nothing and leaving a list needs no search. A list's head is a Link too.

namespace wm::runtime {

struct Link {
    Link* prev = this;
    Link* next = this;

    Link() = default;
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    ~Link() { unlink(); }

    bool alone() const { return next == this; } // as an entry: in no list; as a head: empty
    void unlink() {
        prev->next = next;
        next->prev = prev;
        prev = next = this;
    }
    void append(Link& entry) { // entry is in no list
        entry.prev = prev;
        entry.next = this;
        prev->next = &entry;
        prev = &entry;
    }
    void take_all(Link& from) { // moves all entries of another list to the end of this one
        if (from.alone()) return;
        from.next->prev = prev;
        prev->next = from.next;
        from.prev->next = this;
        prev = from.prev;
        from.prev = from.next = &from;
    }
};

// Takes entries off one by one; entries may leave (or be destroyed) while f runs.
template <class Entry, class F>
void drain(Link& list, F&& f) {
    Link batch;
    for (batch.take_all(list); !batch.alone();) {
        auto& entry = static_cast<Entry&>(*batch.next);
        entry.unlink();
        f(entry);
    }
}

} // namespace wm::runtime
