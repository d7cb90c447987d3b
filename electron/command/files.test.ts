import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, promises, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { CommandFiles, TerminalText } from './files.ts';

const encoder = new TextEncoder();
const printed = vi.hoisted((): number[] => []);

/** Takes one byte after another, as a pipe takes a part of what is written. */
vi.mock(import('./io.ts'), async (load) => ({
  ...(await load()),
  async print(bytes) {
    for (const byte of bytes) {
      printed.push(byte);
      await Promise.resolve();
    }
  },
}));

it('pieces that the engine sends without waiting are printed one after the other', async () => {
  const files = new CommandFiles(new AbortController().signal);
  const token = files.addSink('-');
  const write = (text: string) =>
    files.handlers['file.write']({ token, bytes: encoder.encode(text) }, undefined as never);
  await Promise.all([write('first '), write('second '), write('third')]);
  expect(new TextDecoder().decode(Uint8Array.from(printed))).toBe('first second third');
});

const visible = (text: string): string => new TextDecoder().decode(new TerminalText().visible(encoder.encode(text)));

it('commands to the terminal are visible, lines and all other characters stay', () => {
  expect(visible('a\tb\r\nü€😀\u00a0\n')).toBe('a\tb\r\nü€😀\u00a0\n');
  expect(visible('\x1b[2J\x1b]0;title\x07\x7f\0')).toBe('␛[2J␛]0;title␇␡␀');
  expect(visible('\u009b2J')).toBe('\ufffd2J');
  expect(visible('paid\rfree\r\n')).toBe('paid␍free\r\n');
  expect(visible('a\u202ecod.exe \u2066b\u2069')).toBe('a\ufffdcod.exe \ufffdb\ufffd');
  expect(visible('שלום \u200f“€”…\u2028')).toBe('שלום \u200f“€”…\u2028');
});

it('wherever the text is cut, nothing is left that controls a terminal', () => {
  const unit = fc.constantFrom(
    'a',
    '\x1b',
    '\u009b',
    '\u0085',
    'é',
    '\u00c2',
    '😀',
    '\n',
    '\r',
    '\u202e',
    '\u2069',
    '”',
    '⁰',
    '\0',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), fc.nat(60), (text, cut) => {
      const bytes = encoder.encode(`${text}.`);
      const stream = new TerminalText();
      const parts = [stream.visible(bytes.subarray(0, cut)), stream.visible(bytes.subarray(cut))];
      const seen = new TextDecoder().decode(Buffer.concat(parts));
      expect(seen).toBe(visible(`${text}.`));
      expect(seen).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/);
    }),
    { seed: 34, numRuns: seedCount(500) },
  );
});

describe.skipIf(process.platform === 'win32')('what can be read only once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-once-'));
  const files = new CommandFiles(new AbortController().signal);
  afterEach(() => vi.restoreAllMocks());
  afterEach(async () => {
    await files.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is copied while there is room for it, and is no device', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const send = (bytes: number): Promise<void> => promises.writeFile(pipe, Buffer.alloc(bytes, 'x')).catch(() => {});
    const [copy] = await Promise.all([files.readOnce(pipe), send(100_000)]);
    expect(readFileSync(copy, 'latin1')).toBe('x'.repeat(100_000));
    const room = Object.assign(await promises.statfs(folder), { bavail: 100, bsize: 1000 });
    vi.spyOn(promises, 'statfs').mockResolvedValue(room);
    const [copied] = await Promise.allSettled([files.readOnce(pipe), send(100_000)]);
    expect(copied).toMatchObject({
      reason: {
        code: 'full',
        message: expect.stringContaining('“pipe” is larger than the space for temporary files') as unknown,
      },
    });
    await expect(files.readOnce('/dev/zero')).rejects.toThrow('“zero” is a device. Nothing was changed.');
    expect(readFileSync(await files.readOnce('/dev/null'), 'latin1')).toBe('');
    await files.end();
    expect(existsSync(copy)).toBe(false);
  });
});
