// Copies a table into another database: the engine that has it writes a temporary SQLite file, and the one that gets it moves the table out.
import { AppError, DEFAULT_EXPORT_OPTIONS, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, ExportSource, TransferPlan, TransferReply } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify, useStore } from '../../state/store.ts';
import { offerUndo } from '../../workbench/history/history.ts';
import { runJob } from '../../workbench/jobs.ts';
import type { JobOptions } from '../../workbench/jobs.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { doneText, leftOutTexts } from './copy-table-plan.ts';

export interface TableCopy {
  readonly from: DatabaseId;
  readonly to: DatabaseId;
  readonly plan: TransferPlan;
  readonly withRows: boolean;
}

/** Runs as a job; tells what came of it. The other database is as before if it fails or is stopped. */
export async function copyTable(copy: TableCopy): Promise<void> {
  const [{ name, into }] = copy.plan.tables as [TransferPlan['tables'][number]];
  const target = nameOf(copy.to);
  try {
    const reply = await runJob(`Copying ${name} to ${target}`, (options) => throughFile(copy, name, options));
    await offerUndo(copy.to, doneText(name, { database: target, table: into }, reply));
    const texts = leftOutTexts(reply);
    if (texts.length > 0) notify({ tone: 'warning', text: texts.join(' ') });
  } catch (thrown) {
    if (toAppError(thrown).code === 'stopped') notify({ tone: 'info', text: 'Stopped. Nothing was copied.' });
    else notifyFailure(thrown);
  }
}

async function throughFile(copy: TableCopy, table: string, options: JobOptions): Promise<TransferReply> {
  const place = await shell.createComparisonCopy();
  if ('why' in place) throw AppError.unavailable(place.why);
  const { comparisonCopy, sink } = place;
  try {
    const source: ExportSource = {
      ...{ kind: 'tables', tables: [table] },
      ...(copy.plan.triggers ? { withMentioned: true } : { withoutTriggers: true }),
      ...(!copy.withRows && { withoutRows: true }),
    };
    const exported = { database: copy.from, source, format: 'sqlite', options: DEFAULT_EXPORT_OPTIONS, sink };
    const { notes } = await client.call('export.file', exported, options);
    await shell.openComparisonCopy(comparisonCopy, table);
    const file = await shell.comparisonCopySource(comparisonCopy);
    if (!file) throw AppError.notFound('The temporary copy no longer exists. Nothing was copied.');
    const reply = await move(copy, { token: file.token, table }, options);
    return { ...reply, notes: [...notes, ...reply.notes] };
  } finally {
    await shell.removeComparisonCopy(comparisonCopy).catch(() => undefined); // it goes with the window
  }
}

async function move(
  { from, to, plan }: TableCopy,
  { token, table }: { readonly token: string; readonly table: string },
  options: JobOptions,
): Promise<TransferReply> {
  const name = `${table} of ${nameOf(from)}`;
  const source = { kind: 'file', token } as const;
  const { id } = await client.call(
    'transfer.open',
    { database: to, source, name, dialect: null, encoding: null },
    options,
  );
  try {
    return await new UndoWaiver().run((withoutUndo) =>
      client.call('transfer.move', { database: to, id, plan, title: `Copy table ${name}`, ...withoutUndo }, options),
    );
  } finally {
    void client.call('transfer.close', { database: to, id }).catch(() => undefined);
  }
}

const nameOf = (database: DatabaseId): string =>
  useStore.getState().openDatabases[database]?.entry.name ?? 'another database';
