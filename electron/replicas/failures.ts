// Turns Litestream's errors into a sentence for the user: what happened, what was kept, what to do.

const MAX_DETAIL = 300;

/** Patterns and sentences; the first pattern that matches counts. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [
    /no space left on device|not enough space on the disk|disk full|disk quota exceeded/i,
    'The disk is full, so the database was not restored. Nothing was kept. Free some space and try again.',
  ],
  [
    /no matching backup files|timestamp does not exist|transaction not available/i,
    'Litestream cannot restore this restore point: files it needs are missing, or have been merged or removed since the list was made. Nothing was opened. List the restore points again and choose another.',
  ],
  [
    /no such host|connection refused|network is unreachable|i\/o timeout|TLS handshake|certificate/i,
    'The storage could not be reached. Check the address, the endpoint, and the network.',
  ],
  [
    /get credentials|no EC2 IMDS role|static credentials are empty/i,
    'There are no keys for this storage: none were entered, and this computer has no AWS credentials.',
  ],
  [
    /InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|StatusCode: 40[13]\b|Forbidden/i,
    'The storage rejected the keys. Check them, and check that they allow reading this bucket.',
  ],
  [/NoSuchBucket|StatusCode: 404/i, 'The bucket does not exist. Check the address.'],
  [
    /permission denied|access is denied/i,
    'You do not have permission to read the files of the replica. Nothing was opened.',
  ],
  [
    /decode|decompress|checksum|unexpected EOF|invalid ltx|lz4|corrupt|malformed/i,
    'A file of the replica is damaged, so this restore point cannot be restored. Nothing was opened. Choose another restore point or another replica.',
  ],
  [
    /flag provided but not defined|unknown command/i,
    'This version of Litestream is too old or too new. Sidelite works with version 0.5.',
  ],
];

/** @param printed without secrets */
export function failureOf(printed: string): string {
  const known = KNOWN.find(([pattern]) => pattern.test(printed))?.[1];
  if (known !== undefined) return known;
  const last = printed
    .trim()
    .split('\n')
    .at(-1)!
    .replace(/^Error: /, '');
  return `Litestream failed: ${last.length > MAX_DETAIL ? `${last.slice(0, MAX_DETAIL)}…` : last}`;
}
