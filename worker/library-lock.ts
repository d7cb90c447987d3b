// Decides which page owns the library: one page of this origin at a time, through a web lock that it holds for as long as it lives.

/** OPFS access handles are exclusive: a second tab would fail in odd places instead of showing a message. */
const LIBRARY_LOCK = 'sidelite-library';
/** Channel on which pages announce the owner. */
const OWNER_CHANNEL = 'sidelite-library-owner';
/**
 * A page that is being closed no longer answers, and neither does a frozen tab. Only time distinguishes them, so this is how long a page
 * waits before it mentions an owner that is known to hold the lock.
 */
const SILENT_OWNER_MS = 10_000;

/** A page may still answer while it is being closed. One that answers again after this long stays open. */
const STILL_THERE_MS = 1000;

interface LibraryClaim {
  /** The library belongs to this page from now on. Called once. */
  readonly owned: () => void;
  /** Another page holds the lock and stays alive. Called at most once, and never after {@link owned}. */
  readonly elsewhere: () => void;
}

/** The parts of the web platform this needs. */
interface ClaimContext {
  readonly locks: Pick<LockManager, 'request' | 'query'>;
  readonly channel: Pick<BroadcastChannel, 'onmessage' | 'postMessage'>;
  readonly after: (delayMs: number, action: () => void) => void;
}

const browser = (): ClaimContext => ({
  locks: navigator.locks,
  channel: new BroadcastChannel(OWNER_CHANNEL),
  after: (delayMs, action) => void setTimeout(action, delayMs),
});

/**
 * Waits for the lock, however long the browser takes to grant it. Only the lock manager can say that another page holds it: a lock that is
 * free, or granted but not yet delivered, is merely waited for. A page that is being reloaded still holds its lock for a moment but no
 * longer answers, so it is not reported.
 */
export function claimLibrary({ owned, elsewhere }: LibraryClaim, around = browser()): void {
  const { locks, channel, after } = around;
  let state: 'waiting' | 'elsewhere' | 'owned' = 'waiting';
  let answered: 'no' | 'once' | 'asked again' = 'no';
  const ownId = ownClientId(locks);

  const lookWhoHoldsIt = async (): Promise<void> => {
    const { held = [] } = await locks.query();
    const holder = held.find(({ name }) => name === LIBRARY_LOCK)?.clientId;
    if (holder === undefined || holder === (await ownId) || state !== 'waiting') return;
    state = 'elsewhere';
    elsewhere();
  };

  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 'whose' && state === 'owned') channel.postMessage('mine');
    if (data !== 'mine' || state !== 'waiting') return;
    if (answered === 'asked again') return void lookWhoHoldsIt();
    if (answered === 'once') return;
    answered = 'once';
    after(STILL_THERE_MS, () => {
      answered = 'asked again';
      channel.postMessage('whose');
    });
  };
  void locks.request(LIBRARY_LOCK, () => {
    state = 'owned';
    // Answers pages that asked before there was an owner.
    channel.postMessage('mine');
    owned();
    return new Promise<never>(() => undefined);
  });
  channel.postMessage('whose');
  after(SILENT_OWNER_MS, () => void lookWhoHoldsIt());
}

/** The lock manager identifies pages by ids that a page cannot query. This page finds its own through a lock that no other page holds. */
async function ownClientId(locks: ClaimContext['locks']): Promise<string | undefined> {
  const name = `sidelite-page-${crypto.randomUUID()}`;
  return locks.request(name, { ifAvailable: true }, async () => {
    const { held = [] } = await locks.query();
    return held.find((lock) => lock.name === name)?.clientId;
  });
}
