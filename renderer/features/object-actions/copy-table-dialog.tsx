// The dialog that copies a table into another open database: where to, under which name, and what of it.
import { useEffect, useRef, useState, type FormEvent, type ReactNode, type RefObject } from 'react';
import type { DatabaseId, SchemaObject, ExportSource, TransferPlan, TransferReply } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { AppError, DEFAULT_EXPORT_OPTIONS, toAppError } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { knownSchema, useColumns, useSchema } from '../../state/schema.ts';
import { useStore, notify } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { plural } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { offerUndo } from '../../workbench/history/history.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { runJob, type JobOptions } from '../../workbench/jobs.ts';
import { closeCopyTable, copyTargets, type CopyTableRequest } from '../../workbench/objects/copy-table-request.ts';
import { useReadCost } from '../../workbench/rows/read-cost.ts';
import {
  copyProblem,
  copyWarnings,
  firstChoices,
  ownObjects,
  planOf,
  tableThere,
  doneText,
  leftOutTexts,
} from './copy-table-plan.ts';
import type { CopyChoices } from './copy-table-plan.ts';
import '../../ui/form-dialog.css';
import './object-action.css';

const NO_TARGET = 'No other database that can be changed is open. Open one, and copy the table then.';

export function CopyTableDialog({ request }: { readonly request: CopyTableRequest }): ReactNode {
  const form = useForm(request);
  const first = useRef<HTMLSelectElement>(null);
  const { object } = request;
  return (
    <Dialog
      title={`Copy table “${visibleName(object.name)}” to another database`}
      initialFocus={first}
      onClose={closeCopyTable}
      footer={
        <>
          <Button onClick={closeCopyTable}>Cancel</Button>
          <Button variant="primary" why={form.whyNot} onClick={form.run}>
            Copy
          </Button>
        </>
      }
    >
      <div className="stack gap-12 text-color object-action">
        {form.target === null ? (
          <p>{NO_TARGET}</p>
        ) : (
          <>
            <Place form={form} first={first} />
            <Parts form={form} />
            <Consequences form={form} />
          </>
        )}
      </div>
    </Dialog>
  );
}

interface Form {
  readonly request: CopyTableRequest;
  readonly targets: readonly (readonly [DatabaseId, string])[];
  readonly target: DatabaseId | null;
  /** Null until the schema of the other database is known. */
  readonly choices: CopyChoices | null;
  readonly here: readonly SchemaObject[];
  readonly there: readonly SchemaObject[];
  readonly whyNot: string | null;
  readonly problem: string | null;
  chooseTarget(target: DatabaseId): void;
  set(change: Partial<CopyChoices>): void;
  run(): void;
}

function useForm(request: CopyTableRequest): Form {
  const { database, object } = request;
  const targets = copyTargets(
    useStore((state) => state.openDatabases),
    database,
  );
  const [chosen, chooseTarget] = useState<DatabaseId | null>(request.into ?? null);
  const target = targets.some(([id]) => id === chosen) ? chosen : (targets[0]?.[0] ?? null);
  const here = useSchema(database)?.objects ?? [];
  const there = useSchema(target)?.objects ?? [];
  const [choices, setChoices] = useState<CopyChoices | null>(null);
  // The name that is free depends on the database.
  useEffect(() => {
    let isOutdated = false;
    if (target === null) return;
    void knownSchema(target).then((schema) => !isOutdated && setChoices(firstChoices(object, schema?.objects ?? [])));
    return () => {
      isOutdated = true;
    };
  }, [target, object]);
  const problem = choices === null ? null : copyProblem(object, choices, there);
  const whyNot = target === null ? NO_TARGET : choices === null ? 'The other database is being read.' : problem;
  return {
    ...{ request, targets, target, choices, here, there, whyNot, problem, chooseTarget },
    set: (change) => setChoices((before) => before && { ...before, ...change }),
    run: () => {
      if (whyNot !== null || target === null || choices === null) return;
      closeCopyTable();
      const plan = planOf(object, choices, there);
      void copyTable({ from: database, to: target, plan, withRows: choices.rows });
    },
  };
}

function Place({
  form,
  first,
}: {
  readonly form: Form;
  readonly first: RefObject<HTMLSelectElement | null>;
}): ReactNode {
  const { targets, target, choices, there, problem } = form;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    form.run();
  };
  const existing = choices && tableThere(choices.name, there);
  const told = existing ? `There is a table “${visibleName(existing.name)}” already.` : problem;
  return (
    <form className="stack gap-10 copy-table-place" onSubmit={submit}>
      <label className="stack gap-5">
        To database
        <Select
          selectRef={first}
          label="To database"
          value={target ?? ''}
          options={targets.map(([id, name]) => [id, visibleName(name)])}
          onChoose={form.chooseTarget}
        />
      </label>
      <label className="stack gap-5">
        Name there
        <TextField
          value={choices?.name ?? ''}
          aria-invalid={problem !== null}
          aria-describedby="copy-table-problem"
          onFocus={(event) => event.target.select()}
          onChange={(event) => form.set({ name: event.target.value, isAppended: false })}
        />
      </label>
      {/* Has its room always, so that nothing moves while a name is typed. */}
      <div className="row gap-12 small copy-table-existing">
        <p id="copy-table-problem" className="cut shrink-x error" role="status" title={told ?? undefined}>
          {told}
        </p>
        {existing && (
          <CheckBox
            className="form-check push-end"
            label="Add the rows to it"
            checked={choices.isAppended}
            onChange={(isAppended) => form.set({ isAppended })}
          />
        )}
      </div>
    </form>
  );
}

function Parts({ form: { request, choices, here, set } }: { readonly form: Form }): ReactNode {
  if (choices === null) return null;
  const { object } = request;
  const { rows } = object;
  const counted = (kind: 'index' | 'trigger', one: string, many: string): string =>
    plural(ownObjects(object, kind, here).length, one, many);
  const hasNo = (kind: 'index' | 'trigger'): boolean =>
    choices.isAppended || ownObjects(object, kind, here).length === 0;
  return (
    <div role="group" aria-label="What is copied">
      <CheckBox
        label={rows ? `${rows.estimated ? 'About ' : ''}${plural(rows.count, 'row')}` : 'Rows'}
        checked={choices.rows}
        onChange={(rows) => set({ rows })}
      />
      <CheckBox
        label={counted('index', 'index', 'indexes')}
        checked={choices.indexes && !hasNo('index')}
        disabled={hasNo('index')}
        onChange={(indexes) => set({ indexes })}
      />
      <CheckBox
        label={counted('trigger', 'trigger', 'triggers')}
        checked={choices.triggers && !hasNo('trigger')}
        disabled={hasNo('trigger')}
        onChange={(triggers) => set({ triggers })}
      />
    </div>
  );
}

function Consequences({ form: { request, target, choices, here, there } }: { readonly form: Form }): ReactNode {
  const { database, object } = request;
  const columns = useColumns(database)?.find(({ table }) => table === object.name);
  const cost = useReadCost(database, [object.name]);
  const why = useStore(({ histories }) => histories[target ?? '']?.why ?? null);
  if (choices === null) return null;
  const parents = columns?.references.map((reference) => reference.target) ?? [];
  return (
    <FactList label="Consequences">
      {copyWarnings(object, choices, { here, there, parents }).map((text) => (
        <Fact key={text} tone="warning">
          {text}
        </Fact>
      ))}
      {cost !== '' && <Fact tone="warning">{cost}</Fact>}
      {why === null ? (
        <Fact tone="good">Undo in the other database removes it in one step</Fact>
      ) : (
        <Fact tone="warning">This cannot be undone. {why}</Fact>
      )}
    </FactList>
  );
}

// Copies a table into another database: the engine that has it writes a temporary SQLite file, and the one that gets it moves the table out.

interface TableCopy {
  readonly from: DatabaseId;
  readonly to: DatabaseId;
  readonly plan: TransferPlan;
  readonly withRows: boolean;
}

/** Runs as a job; tells what came of it. The other database is as before if it fails or is stopped. */
async function copyTable(copy: TableCopy): Promise<void> {
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
