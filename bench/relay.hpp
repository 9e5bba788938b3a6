#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tessera::bench {

/// The floor under any server: for each frame that arrives from one WebSocket of a group, a frame of `frame_bytes` goes
/// to every one of the group. No game, no storage, one thread, as lean as Beast allows. Groups are named by the path
/// of the WebSocket's URL. Listens on a free port of 127.0.0.1, tells its URL, and runs until SIGTERM.
void run_relay(std::size_t frame_bytes, const std::function<void(const std::string& url)>& listening);

}  // namespace tessera::bench
