// What `sidelite mcp` and the running app say to each other: a message is a line of JSON, and each request has a number and gets one reply. The
// app sends one message unasked, `ended`, as its last.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { PRIVATE_FOLDER } from '../files/file-access.ts';
import { readJson, writeJson } from '../json-file.ts';

/** Longer lines are not read. */
export const MOST_MESSAGE_BYTES = 1 << 20;
/** What a person can look through. In characters. */
export const [MOST_SQL, MOST_REASON] = [100_000, 2000];
/** How long the app holds back the answer about a proposal: the longest `--timeout`. */
export const MOST_WAIT_MS = 3_600_000;
const MOST_FILES = 100;

const short = v.pipe(v.string(), v.maxLength(200));
const path = v.pipe(v.string(), v.maxLength(32_768));
const id = v.pipe(v.number(), v.safeInteger());
const count = v.pipe(id, v.minValue(1));

/** Lengths of `sql` and `reason` are checked apart, because the assistant is told. */
const LINK_REQUEST = v.variant('ask', [
  v.object({
    ask: v.literal('hello'),
    id,
    secret: short,
    client: v.pipe(v.string(), v.maxLength(1000)),
    files: v.pipe(v.array(path), v.maxLength(MOST_FILES)),
  }),
  v.object({ ask: v.literal('called'), id, tool: v.pipe(v.string(), v.regex(/^[a-z]{1,20}$/)), times: count }),
  v.object({ ask: v.literal('propose'), id, file: path, sql: v.string(), reason: v.string() }),
  v.object({ ask: v.literal('decision'), id, proposal: short, waitMs: v.pipe(id, v.minValue(0)) }),
  v.object({ ask: v.literal('withdraw'), id, proposal: short }),
]);
export type LinkRequest = v.InferOutput<typeof LINK_REQUEST>;

const LINK_REPLY = v.object({
  id,
  /** For `propose`, the id of the proposal, or why a person is not shown it; neither: the app does not have the file open. */
  proposal: v.optional(v.string()),
  refused: v.optional(v.string()),
  /** For `decision`, a `ProposalState`; missing: there is no such proposal. */
  state: v.optional(v.string()),
});
export type LinkReply = v.InferOutput<typeof LINK_REPLY>;
const FROM_APP = v.union([v.object({ ended: v.literal(true) }), LINK_REPLY]);
export type FromApp = v.InferOutput<typeof FROM_APP>;

/** Null if the line is no request. */
export const requestIn = (line: string | null): LinkRequest | null => parsedAs(LINK_REQUEST, line);
export const messageIn = (line: string | null): FromApp | null => parsedAs(FROM_APP, line);

function parsedAs<T>(schema: v.GenericSchema<unknown, T>, line: string | null): T | null {
  try {
    const read = v.safeParse(schema, JSON.parse(line ?? ''));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}

/** Where the app listens, in a file of the profile that only this user can read. */
const ADDRESS = v.object({ path: v.string(), secret: v.string() });
type LinkAddress = v.InferOutput<typeof ADDRESS>;

const folderOf = (profile: string): string => join(profile, 'assistants');
const addressFile = (profile: string): string => join(folderOf(profile), 'address.json');

/** Null: no app with this profile listens. It may have been killed: then nothing listens at the address. */
export function readAddress(profile: string): LinkAddress | null {
  const read = v.safeParse(ADDRESS, readJson(addressFile(profile)));
  return read.success ? read.output : null;
}

/** The path of a socket has at most 108 bytes on Linux and 104 on macOS, with the zero at its end (man 7 unix). */
const MOST_PATH_BYTES = 100;

/** Makes room for a socket that only this user reaches, and publishes its address. Returns the address, and what takes both back. */
export function publishAddress(profile: string): { readonly address: LinkAddress; readonly remove: () => void } {
  const folder = folderOf(profile);
  // A folder, or a socket, that a killed app has left may have other permissions.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const random = randomBytes(16).toString('hex');
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\sidelite-${random}` : socketPath(folder);
  const address = { path, secret: randomBytes(32).toString('hex') };
  writeJson(addressFile(profile), address);
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
    if (process.platform !== 'win32' && dirname(path) !== folder)
      rmSync(dirname(path), { recursive: true, force: true });
  };
  return { address, remove };
}

function socketPath(folder: string): string {
  const path = join(folder, 'socket');
  if (Buffer.byteLength(path) <= MOST_PATH_BYTES) return path;
  const temporary = join(tmpdir(), 'sidelite-XXXXXX', 'socket');
  // `mkdtemp` makes the folder for this user alone.
  const root = Buffer.byteLength(temporary) <= MOST_PATH_BYTES ? tmpdir() : '/tmp';
  return join(mkdtempSync(join(root, 'sidelite-')), 'socket');
}
