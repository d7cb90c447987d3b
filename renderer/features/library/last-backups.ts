// The last backup of each database: when it was made, how large it is, and the name of its file; remembered across restarts, in any window.
import * as v from 'valibot';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { eachEntry } from '#shared/stored.ts';
import { remember, remembered } from '../../state/remembered.ts';
import { dateText, formatBytes, formatMoment, formatWhen } from '../../ui/format.ts';

const KEY = 'sidelite.backups';
/** Number of databases, those backed up last. */
const MAX_KEPT = 200;
const MAX_NAME_CHARS = 1000;

const STORED = eachEntry(
  v.object({
    atMs: v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15)),
    sizeBytes: v.pipe(v.number(), v.minValue(0)),
    fileName: v.pipe(v.string(), v.maxLength(MAX_NAME_CHARS)),
  }),
);

type LastBackup = v.InferOutput<typeof STORED>[string];

export const lastBackup = (database: DatabaseId): LastBackup | null => stored()[database] ?? null;

export function keepLastBackup(database: DatabaseId, backup: LastBackup): void {
  const newest = Object.entries({ ...stored(), [database]: backup })
    .sort(([, one], [, other]) => other.atMs - one.atMs)
    .slice(0, MAX_KEPT);
  // If there is no room to store it, only the time of this backup is unknown later.
  remember(KEY, Object.fromEntries(newest));
}

const stored = (): v.InferOutput<typeof STORED> => v.parse(STORED, remembered(KEY));

export function backupText(backup: LastBackup | null, nowMs: number = Date.now()): string {
  if (backup === null) return 'Last backup: none yet.';
  const { atMs, sizeBytes, fileName } = backup;
  return `Last backup: ${formatMoment(atMs)} (${formatWhen(atMs, nowMs)}), ${formatBytes(sizeBytes)}, as “${fileName}”.`;
}

/** “shop 2026-11-29 10-28.sqlite”: no character that a file system refuses, and in order of time by name. */
export function backupFileName(name: string, at: Date = new Date()): string {
  const [, stem = name, extension = '.sqlite'] = /^(.*?)(\.(?:db|sqlite3?|s3db))?$/is.exec(name) ?? [];
  return `${stem} ${dateText(at.getTime(), 'local').slice(0, 16).replace(':', '-')}${extension}`;
}
