// The window messages between the host page and what embeds it: main's preload, or the page around the iframe.

/** Every message is `{tag, …}` posted to the own origin; ports travel beside it. */
export const HostTag = {
  /** From the host: a new worker is being started; the files port and every client are wanted (again). */
  ready: 'sidelite:host-ready',
  /** From the host: the user wants a new worker. Should the page die with the old one, that is no crash; `ready` follows otherwise. */
  restarting: 'sidelite:host-restarting',
  /** To the host, which waits for it: the owner of its page has received `restarting`. */
  restartExpected: 'sidelite:host-restart-expected',
  /** To the host, with one port: `FileOperations`. */
  files: 'sidelite:host-files',
  /** To the host, with `windowId` and two ports: data, control. */
  client: 'sidelite:client',
  /** To the host, with `engine` and one port (`BenchOperations`): a worker that measures, instead of the one there may be for this engine. */
  bench: 'sidelite:host-bench',
  /** To the host: no worker measures any longer; with `engine`: the one of this engine does not. */
  benchEnd: 'sidelite:host-bench-end',
  /** To the host: the app quits. Answered with `settled` once everything is checkpointed and closed. */
  settle: 'sidelite:host-settle',
  settled: 'sidelite:host-settled',
} as const;
