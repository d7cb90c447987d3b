// What Litestream prints when it fails, as a sentence for the user: what happened, what was kept, what to do.

const MAX_DETAIL = 300;

/** The first that matches. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [
    /no space left on device|not enough space on the disk|disk full|disk quota exceeded/i,
    'The disk is full, so the database was not restored. Nothing was kept. Free some space and try again.',
  ],
  [
    /no matching backup files|timestamp does not exist|transaction not available/i,
    'Litestream cannot restore this moment: files it needs are missing, or were merged or removed since the moments were listed. Nothing was opened. List them again and choose another.',
  ],
  [
    /no such host|connection refused|network is unreachable|i\/o timeout|TLS handshake|certificate/i,
    'The storage was not reached. Check the address, the endpoint, and the network.',
  ],
  [
    /get credentials|no EC2 IMDS role|static credentials are empty/i,
    'There are no keys for this storage: none were entered, and this computer has none for Amazon’s tools.',
  ],
  [
    /InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|StatusCode: 40[13]\b|Forbidden/i,
    'The storage refused the keys. Check them, and whether they may read this bucket.',
  ],
  [/NoSuchBucket|StatusCode: 404/i, 'There is no such bucket. Check the address.'],
  [/permission denied|access is denied/i, 'Files of the replica may not be read by you. Nothing was opened.'],
  [
    /decode|decompress|checksum|unexpected EOF|invalid ltx|lz4|corrupt|malformed/i,
    'A file of the replica is damaged, so this moment cannot be restored. Nothing was opened. Choose another moment, or another replica.',
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
