// The running `sidelite mcp` processes that have reported to the app, what was asked of them, and the changes they propose, each of which waits
// in one window for a person. Knows no sockets and no pages.
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import type { AssistantSession, ProposalState, ProposedChange } from '#shared/assistants.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { cut, visibleLine, visibleLines, visibleName } from '#shared/visible-text.ts';
import { MOST_REASON, MOST_SQL } from './protocol.ts';

/** What a person can still look through, of all assistants together. */
const MOST_WAITING = 20;
const MOST_DECIDED = 100;
const MOST_CLIENT_CHARS = 60;
const MOST_TOOLS = 16;

/** A file that is open in place, where changes can be kept. */
export interface OpenPlace {
  readonly windowId: string;
  readonly locationId: string;
  readonly database: DatabaseId;
  readonly fileName: string;
}

/** Which windows have which files open. */
export interface Places {
  /** Null: no window has this file open so that it can be changed. */
  find(path: string): OpenPlace | null;
  isOpen(place: OpenPlace): boolean;
}

interface Proposal {
  readonly id: string;
  /** Path of the file. */
  readonly path: string;
  place: OpenPlace;
  /** Null once it is decided. */
  text: ProposedChange | null;
  state: ProposalState;
}

interface Session {
  readonly id: number;
  readonly client: string;
  readonly files: readonly string[];
  readonly calls: Map<string, number>;
  proposals: readonly Proposal[];
}

const isOpenEnded = ({ state }: Proposal): boolean => state === 'waiting' || state === 'keeping';

export class Assistants {
  readonly #places: Places;
  readonly #sessions = new Map<number, Session>();
  readonly #listeners = new Set<() => void>();
  #lastId = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Called after each change. Returns a function that ends this. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns the number of the session. @param client as it calls itself */
  begin(client: string, files: readonly string[]): number {
    const id = ++this.#lastId;
    const named = visibleLine(cut(client.trim(), MOST_CLIENT_CHARS)) || 'An assistant';
    const names = files.map((path) => visibleName(basename(path)));
    this.#sessions.set(id, { id, client: named, files: names, calls: new Map(), proposals: [] });
    this.#tell();
    return id;
  }

  /** The process has gone, or a person has ended the connection. What a window is committing goes on. */
  end(session: number): void {
    for (const proposal of this.#sessions.get(session)?.proposals ?? [])
      if (proposal.state === 'waiting') decide(proposal, 'withdrawn');
    // Heard by what waits for a decision, as long as there is somebody to hear it from.
    this.#tell();
    if (this.#sessions.delete(session)) this.#tell();
  }

  noteCalls(session: number, tool: string, times: number): void {
    const calls = this.#sessions.get(session)?.calls;
    if (calls === undefined || (!calls.has(tool) && calls.size >= MOST_TOOLS)) return;
    calls.set(tool, (calls.get(tool) ?? 0) + times);
    this.#tell();
  }

  /** Returns the id of the proposal, or why it is not shown to a person; null: the file is not open here. */
  propose(
    session: number,
    { path, sql, reason }: { readonly path: string; readonly sql: string; readonly reason: string },
  ): { readonly proposal: string } | { readonly refused: string } | null {
    const asking = this.#sessions.get(session);
    const place = asking === undefined ? null : this.#places.find(path);
    if (asking === undefined || place === null) return null;
    if (sql.length > MOST_SQL || reason.length > MOST_REASON)
      return { refused: `SQL of more than ${MOST_SQL} characters, or a reason of more than ${MOST_REASON}, is not shown to a person.` }; // prettier-ignore
    this.closeOthers();
    const waiting = this.#all().filter(isOpenEnded).length;
    if (waiting >= MOST_WAITING)
      return { refused: `${MOST_WAITING} proposals wait for a person already. Propose it again later.` };
    const id = randomBytes(8).toString('hex');
    // The person sees what is run: only the reason and the name are shown with codes.
    const text = { client: asking.client, sql, reason: visibleLines(reason.trim()) };
    const old = new Set(asking.proposals.filter((one) => !isOpenEnded(one)).slice(0, -MOST_DECIDED));
    asking.proposals = [
      ...asking.proposals.filter((one) => !old.has(one)),
      { id, path, place, text, state: 'waiting' },
    ];
    this.#tell();
    return { proposal: id };
  }

  /** Null: this session has made no such proposal, or long ago. */
  stateOf(session: number, id: string): ProposalState | null {
    this.closeOthers();
    return this.#sessions.get(session)?.proposals.find((one) => one.id === id)?.state ?? null;
  }

  withdraw(session: number, id: string): void {
    const proposal = this.#sessions.get(session)?.proposals.find((one) => one.id === id);
    if (proposal?.state !== 'waiting') return;
    decide(proposal, 'withdrawn');
    this.#tell();
  }

  /** As a window sees them. */
  seenFrom(windowId: string): readonly AssistantSession[] {
    this.closeOthers();
    return Array.from(this.#sessions.values(), ({ id, client, files, calls, proposals }) => ({
      id,
      client,
      files,
      calls: Object.fromEntries(calls),
      proposals: proposals.map(({ id: proposal, place, state }) => ({
        id: proposal,
        database: place.windowId === windowId ? place.database : null,
        fileName: place.fileName,
        state,
      })),
    }));
  }

  read(windowId: string, id: string): ProposedChange | null {
    return this.#of(windowId, id)?.text ?? null;
  }

  /** False if the proposal is not in a state, or not in the window, for it. */
  settle(windowId: string, id: string, state: ProposalState): boolean {
    const proposal = this.#of(windowId, id);
    const from = proposal?.state;
    const may =
      from === 'waiting' ? ['keeping', 'discarded'] : from === 'keeping' ? ['kept', 'waiting', 'unknown'] : [];
    if (proposal === undefined || !may.includes(state)) return false;
    decide(proposal, state);
    this.#tell();
    return true;
  }

  /** The page of the window is gone, or a new one begins: what it was committing may have been committed or not. */
  forgetPage(windowId: string): void {
    for (const proposal of this.#all())
      if (proposal.place.windowId === windowId && proposal.state === 'keeping') decide(proposal, 'unknown');
    this.#tell();
  }

  /** Call when a window has closed files. What waited there waits in another window that has the file open, if there is one. */
  closeOthers(): void {
    const gone = this.#all().filter(({ state, place }) => state === 'waiting' && !this.#places.isOpen(place));
    for (const proposal of gone) {
      const place = this.#places.find(proposal.path);
      if (place === null) decide(proposal, 'closed');
      else proposal.place = place;
    }
    if (gone.length > 0) this.#tell();
  }

  #all(): readonly Proposal[] {
    return [...this.#sessions.values()].flatMap(({ proposals }) => proposals);
  }

  #of(windowId: string, id: string): Proposal | undefined {
    this.closeOthers();
    return this.#all().find((one) => one.id === id && one.place.windowId === windowId);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function decide(proposal: Proposal, state: ProposalState): void {
  proposal.state = state;
  if (!isOpenEnded(proposal)) proposal.text = null;
}
