import { beforeEach, expect, it, vi } from 'vitest';
import { MAX_DOCUMENT_BYTES } from '#shared/documents.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import type { Detail } from '../../state/slices/detail.ts';
import { showDocument } from './show-document.ts';
import { SHOWN_BYTES } from './use-whole-value.ts';

vi.mock('../../connection/database-client.ts', () => ({ client: { call: vi.fn<() => unknown>() } }));
vi.mock('../../connection/shell.ts', () => ({ shell: { showDocument: vi.fn<() => Promise<void>>() } }));
vi.mock('../../state/databases.ts', () => ({ notifyFailure: vi.fn<() => void>() }));

const detail = (sizeBytes: number): Detail =>
  ({ database: 'd', title: 'file 1', column: 'by\u202etes', sizeBytes, source: { kind: 'cell', cell: {} } }) as Detail;

beforeEach(() => vi.clearAllMocks());

it('shows what the panel has read, under a title without hidden characters', async () => {
  await showDocument(detail(3), new Uint8Array([1, 2, 3]));
  expect(client.call).not.toHaveBeenCalled();
  expect(shell.showDocument).toHaveBeenCalledWith({
    title: 'file 1 · by[U+202E]tes',
    bytes: new Uint8Array([1, 2, 3]),
  });
});

it.each([
  ['shows only its beginning', SHOWN_BYTES + 1, SHOWN_BYTES],
  ['is still reading it', 2000, 1024],
])('reads the whole value if the panel %s', async (_why, sizeBytes, read) => {
  const whole = new Uint8Array(sizeBytes);
  vi.mocked(client.call).mockResolvedValue({ value: whole });
  await showDocument(detail(whole.length), whole.subarray(0, read));
  expect(vi.mocked(shell.showDocument).mock.calls[0]![0].bytes).toHaveLength(whole.length);
});

it('shows no document that is larger than main keeps in memory', async () => {
  await showDocument(detail(MAX_DOCUMENT_BYTES + 1), new Uint8Array(1));
  expect(shell.showDocument).not.toHaveBeenCalled();
  expect(notifyFailure).toHaveBeenCalledWith(
    expect.objectContaining({ code: 'too-big', message: expect.stringContaining('too large to show') as string }),
  );
});
