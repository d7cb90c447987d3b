// Shows the pages of a PDF in a window of their own, which main opens.
import { MAX_DOCUMENT_BYTES } from '#shared/documents.ts';
import { AppError, toAppError, type Value } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import type { Detail } from '../../state/slices/detail.ts';
import { formatBytes } from '../../ui/format.ts';
import { runJob } from '../../workbench/jobs.ts';
import { wholeBytes } from './value-files.ts';

/** @param shown the value, or its beginning if it is longer than the panel shows, or the panel is still reading it */
export async function showDocument(detail: Detail, shown: Value): Promise<void> {
  try {
    const bytes = await wholeDocument(detail, shown);
    await shell.showDocument({ title: visibleName(`${detail.title} · ${detail.column}`), bytes });
  } catch (thrown) {
    if (toAppError(thrown).code !== 'stopped') notifyFailure(thrown);
  }
}

/** @throws AppError `too-big` */
async function wholeDocument(detail: Detail, shown: Value): Promise<Uint8Array> {
  const { database, source, column, sizeBytes } = detail;
  if (sizeBytes > MAX_DOCUMENT_BYTES) throw AppError.tooBig(tooLarge(sizeBytes));
  const isWhole = shown instanceof Uint8Array && shown.length >= sizeBytes;
  if (source.kind !== 'cell' || isWhole) return wholeBytes(detail, shown);
  const { cell } = source;
  const read = await runJob(`Reading ${column}`, (job) =>
    client.call('cell.read', { database, cell, maxBytes: MAX_DOCUMENT_BYTES }, job),
  );
  return wholeBytes(detail, read.value);
}

const tooLarge = (sizeBytes: number): string =>
  `This document is too large to show here: ${formatBytes(sizeBytes)}. The limit is ${formatBytes(MAX_DOCUMENT_BYTES)}. Save it to open it in a PDF viewer.`;
