// The contents of a token. Tokens of libSQL servers are JSON Web Tokens (RFC 7519), signed but not encrypted. Whether one is valid, only
// the server knows; this only explains what the server has decided.
import * as v from 'valibot';

const CLAIMS = v.object({
  /** Seconds since 1970. */
  exp: v.optional(v.number()),
  /** libSQL's own claim of what the token allows. */
  a: v.optional(v.string()),
});

export type TokenState = 'missing' | 'expired' | 'present';

export function tokenState(token: string | null, nowMs: number = Date.now()): TokenState {
  if (token === null) return 'missing';
  const expires = claimsOf(token)?.exp;
  return expires !== undefined && expires * 1000 <= nowMs ? 'expired' : 'present';
}

/** The token says that it is for reading. A token that does not say so may be for reading, too. */
export const isForReading = (token: string | null): boolean => token !== null && claimsOf(token)?.a === 'ro';

function claimsOf(token: string): v.InferOutput<typeof CLAIMS> | null {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return null;
  try {
    const claims = v.safeParse(CLAIMS, JSON.parse(Buffer.from(payload, 'base64url').toString()));
    return claims.success ? claims.output : null;
  } catch {
    return null;
  }
}
