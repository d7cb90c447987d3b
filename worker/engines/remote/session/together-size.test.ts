import { describe, expect, it } from 'vitest';
import { assertFits, MAX_REPLY_BYTES, MAX_SENT_BYTES, replyBytes, sentBytes } from './together-size.ts';

const step = (sql: string, args: readonly string[] = []) => ({ statement: { sql, args, wantRows: true } });

describe('the size of edits that are sent together', () => {
  it('counts bytes, not characters, of texts and values', () => {
    const empty = sentBytes([step('')]);
    expect(sentBytes([step('é'), step('', ['"éé"'])]) - 2 * empty).toBe(2 + 6 + 1);
    const named = replyBytes([{ names: ['é'], bytes: 10 }]) - replyBytes([{ names: [''], bytes: 0 }]);
    expect(named).toBe(12);
  });

  it('is refused only above the limits', () => {
    expect(() => assertFits(1, MAX_SENT_BYTES, MAX_REPLY_BYTES)).not.toThrow();
    expect(() => assertFits(1, MAX_SENT_BYTES + 1, 0)).toThrow(/^This edit is 16 MB as one request/);
    expect(() => assertFits(12_000, 0, MAX_REPLY_BYTES + 1)).toThrow(/^These 12,000 edits are too large/);
  });
});
