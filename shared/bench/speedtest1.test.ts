// The generator against what speedtest1 itself prints with --verify: bytes of results and their hash.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { speedtest1Blocks, statementCount, numberName, roundUpToOnes, swizzle } from './speedtest1.ts';

test('the results are those of the C program, byte for byte', () => {
  expect(verified(5)).toBe('826556 2ef302098d252181c4cb98b84a8a332a8e98506910393697');
});

test('there are as many statements as in the script of the C program', () => {
  for (const size of [2, 5, 25]) {
    let count = 0;
    for (const { steps } of speedtest1Blocks(size))
      for (const { rows } of steps) count += rows ? [...rows()].length : 1;
    expect(count).toBe(statementCount(size));
  }
  expect(statementCount(5)).toBe(29_628);
});

test('names and orders of numbers', () => {
  expect(numberName(0)).toBe('zero');
  expect(numberName(1_002_021_600)).toBe('one billion two million twenty one thousand six hundred');
  expect(numberName(47_147, '-')).toBe('forty-seven thousand one hundred forty-seven');
  const ones = roundUpToOnes(2500);
  expect(ones).toBe(4095);
  expect([1, 2, 3].map((i) => swizzle(i, ones))).toEqual([2048, 1024, 3072]);
  expect(new Set(Array.from({ length: 4096 }, (_, i) => swizzle(i, ones))).size).toBe(4096);
});

/** Data that speedtest1 hashes: rows of its prepared statements, each value with its type, without the digits of floating-point numbers. */
function verified(size: number): string {
  const database = new DatabaseSync(':memory:');
  const hash = new SpeedtestHash();
  let bytes = 0;
  const take = (value: unknown) => {
    const type = value === null ? 'N' : typeof value === 'string' ? 'T' : Number.isInteger(value) ? 'I' : 'F';
    hash.update(bytes > 0 ? `\n${type}` : type);
    const text = type === 'F' ? '' : value === null ? 'nil' : String(value);
    hash.update(text);
    bytes += text.length + 2;
  };
  for (const { steps } of speedtest1Blocks(size))
    for (const { sql, rows } of steps) {
      if (!rows) {
        database.exec(sql);
        continue;
      }
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      // avg() is a floating-point number even where it is a whole one.
      const floats = statement.columns().map(({ name }) => name.startsWith('avg'));
      for (const row of rows())
        for (const values of statement.all(...row) as unknown as unknown[][])
          values.forEach((value, column) => take(floats[column] && value !== null ? 0.5 : value));
    }
  database.close();
  return `${bytes} ${hash.digest()}`;
}

/** The checksum of speedtest1: the key schedule and stream of RC4. */
class SpeedtestHash {
  readonly #state = Uint8Array.from({ length: 256 }, (_, index) => index);
  #i = 0;
  #j = 0;

  update(text: string): void {
    for (const byte of Buffer.from(text)) {
      this.#j = (this.#j + this.#state[this.#i]! + byte) & 255;
      this.#swap();
      this.#i = (this.#i + 1) & 255;
    }
  }

  digest(): string {
    this.update('\n');
    const bytes = Array.from({ length: 24 }, () => {
      this.#i = (this.#i + 1) & 255;
      this.#j = (this.#j + this.#state[this.#i]!) & 255;
      const sum = this.#state[this.#i]! + this.#state[this.#j]!;
      this.#swap();
      return this.#state[sum & 255]!;
    });
    return Buffer.from(bytes).toString('hex');
  }

  #swap(): void {
    const kept = this.#state[this.#j]!;
    this.#state[this.#j] = this.#state[this.#i]!;
    this.#state[this.#i] = kept;
  }
}
