// Tokens for a test server that requires them: JSON Web Tokens, signed with a key that the test makes.
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `sqld` accepts a token for so long after it has expired, in case clocks differ. */
const LEEWAY_S = 60;

export interface TokenMaker {
  /** Arguments of `startSqld`: the server then requires a token of this maker. */
  readonly args: readonly string[];
  /** @param expiresInS the server no longer accepts it after so many seconds */
  token(claims: { readonly access: 'ro' | 'rw'; readonly expiresInS?: number }): string;
  remove(): void;
}

export function makeTokens(): TokenMaker {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-tokens-'));
  const keyFile = join(folder, 'key.pem');
  writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  return {
    args: ['--auth-jwt-key-file', keyFile],
    token({ access, expiresInS }) {
      // Whole seconds: rounded down, it expires too early rather than too late.
      const exp = expiresInS === undefined ? undefined : Math.floor(Date.now() / 1000 + expiresInS) - LEEWAY_S;
      const text = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode({ a: access, exp })}`;
      return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
