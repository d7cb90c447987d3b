// Locations of replicas: a folder, or a path in S3-compatible storage; what Litestream is told about each, and what the user is shown.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import type { StorageDraft } from '#shared/replicas.ts';
import { trimmedEnd } from '#shared/trimmed.ts';
import { forPeople } from '../files/source-file.ts';

/** Name of the database in Litestream's configuration. No such file exists or is created: restored files go elsewhere. */
export const DATABASE_PATH = '/sidelite/replica.db';
const MAX_NAMED = 5;
const MAX_TEXT = 2000;

export interface ReplicaLocation {
  readonly name: string;
  readonly displayPath: string;
  /** The `replica` of Litestream's configuration file, without keys. */
  readonly replica: Readonly<Record<string, string | boolean>>;
  /** Keys, which are never in a file or an argument. */
  readonly keys: { readonly keyId: string; readonly secret: string } | null;
}

const TEXT = v.pipe(v.string(), v.maxLength(MAX_TEXT), v.trim());
/** A draft sent by a page, which is not trusted. */
const DRAFT = v.object({ address: TEXT, endpoint: TEXT, region: TEXT, keyId: TEXT, secret: TEXT });

/** @throws Error without a word of what was entered: errors are logged, and keys are not */
export function readStorageDraft(argument: unknown): StorageDraft {
  const read = v.safeParse(DRAFT, argument);
  if (!read.success) throw new Error('A replica was sent in a form that cannot be read.');
  return read.output;
}

export function replicaInFolder(chosen: string): ReplicaLocation | { readonly why: string } {
  const stats = statSync(chosen, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return { why: `${forPeople(chosen)} is not a folder.` };
  const folder = basename(chosen) === 'ltx' ? dirname(chosen) : chosen;
  if (!existsSync(join(folder, 'ltx'))) return { why: whyNoReplica(folder) };
  return {
    name: databaseName(basename(folder)),
    displayPath: forPeople(folder),
    replica: { type: 'file', path: folder },
    keys: null,
  };
}

function whyNoReplica(folder: string): string {
  if (existsSync(join(folder, 'generations')))
    return 'This replica was made by Litestream 0.3 or earlier. Sidelite reads replicas of Litestream 0.5 and later.';
  const inside = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'ltx')))
    .map(({ name }) => `“${name}”`);
  if (inside.length === 0) return `There is no Litestream replica in ${forPeople(folder)}.`;
  const named = inside.slice(0, MAX_NAMED).join(', ');
  return `This folder contains replicas. Choose one of them: ${named}${inside.length > MAX_NAMED ? ', …' : ''}.`;
}

/** Litestream keeps its own files of `shop.db` in `.shop.db-litestream`. */
const databaseName = (folderName: string): string =>
  /^\.(.+)-litestream$/.exec(folderName)?.[1] ?? (folderName || 'replica');

export function replicaInStorage({
  address,
  endpoint,
  region,
  keyId,
  secret,
}: StorageDraft): ReplicaLocation | { readonly why: string } {
  const [, bucket, path] = /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]*)\/?([^?#]*)$/.exec(address) ?? [];
  if (bucket === undefined || path === undefined) return { why: 'Enter an address such as s3://backups/shop.db.' };
  if (endpoint !== '' && !isEndpoint(endpoint))
    return { why: 'The endpoint must begin with https:// (or, on this computer, http://) and contain no path.' };
  if ((keyId === '') !== (secret === '')) return { why: 'Enter both keys, or neither.' };
  if (!/^[\x21-\x7e]*$/.test(keyId + secret + region))
    return { why: 'Keys and region can contain only printable ASCII characters. Copy them again.' };
  const key = trimmedEnd(path, '/');
  return {
    name: databaseName(key.split('/').at(-1) || bucket),
    displayPath: `s3://${bucket}/${key}`,
    replica: {
      ...{ type: 's3', bucket, path: key },
      ...(endpoint !== '' && { endpoint, 'force-path-style': true }),
      ...(region !== '' && { region }),
    },
    keys: keyId === '' ? null : { keyId, secret },
  };
}

/** Keys are sent unencrypted only to this computer. */
function isEndpoint(text: string): boolean {
  try {
    const { protocol, hostname, pathname, username, password, search, hash } = new URL(text);
    const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
    const isPlain = pathname === '/' && `${username}${password}${search}${hash}` === '';
    return isPlain && (protocol === 'https:' || (protocol === 'http:' && isHere));
  } catch {
    return false;
  }
}

/** JSON is YAML, and needs no escapes of its own. */
export const configurationOf = ({ replica }: ReplicaLocation): string =>
  JSON.stringify({ dbs: [{ path: DATABASE_PATH, replica }] });

/** The variables that Amazon's tools and Litestream read. Keys of the user take the place of all that would be found otherwise. */
export function environmentFor({ keys }: ReplicaLocation, inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // The metadata service answers only on Amazon's machines; others would wait for it.
  const environment: NodeJS.ProcessEnv = { AWS_EC2_METADATA_DISABLED: 'true', ...inherited };
  if (!keys) return environment;
  for (const name of ['AWS_SESSION_TOKEN', 'AWS_PROFILE', 'LITESTREAM_ACCESS_KEY_ID', 'LITESTREAM_SECRET_ACCESS_KEY'])
    delete environment[name];
  return { ...environment, AWS_ACCESS_KEY_ID: keys.keyId, AWS_SECRET_ACCESS_KEY: keys.secret };
}
