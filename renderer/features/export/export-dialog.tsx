// The dialog of an export: the data, the format, its options, and the first lines as they will be written.
import { useEffect, useMemo, useRef, useState, type ReactNode, type Ref } from 'react';
import type {
  DatabaseId,
  ExportFormatInfo,
  ExportOptions,
  ExportSource,
  SchemaSnapshot,
} from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { isDesktop } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { remember, remembered } from '../../state/remembered.ts';
import { useSchema } from '../../state/schema.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount, LOCALE } from '../../ui/format.ts';
import { SelectLine } from '../../ui/select.tsx';
import { CheckBox, RadioButton } from '../../ui/check-box.tsx';
import { closeExport, type ExportChoice, type ExportRequest } from '../../workbench/files/export-request.ts';
import { copyExport, exportToFile, exportToFolder, type ChosenExport } from './export-actions.ts';
import { OptionFields } from './option-fields.tsx';
import { useReadCost } from '../../workbench/rows/read-cost.ts';
import { useMayHoldBlobs } from './blob-columns.ts';
import { visibleName } from '#shared/visible-text.ts';
import { capabilitiesOf, toAppError, BLOB_FORMS, DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/index.ts';
import * as v from 'valibot';
import { flag, forgiving, oneOf } from '#shared/stored.ts';
import '../../ui/form-dialog.css';
import './export.css';

// The format and options that were used last, for the next export in any window.

const KEY = 'sidelite.export';
const { header, delimiter, nullText, bom, formulaGuard, excelDates, ddl } = DEFAULT_EXPORT_OPTIONS;

const STORED = forgiving({
  format: v.fallback(v.string(), 'csv'),
  header: flag(header),
  delimiter: v.fallback(v.string(), delimiter),
  nullText: v.fallback(v.string(), nullText),
  lineEnding: oneOf(['lf', 'crlf'], 'lf'),
  bom: flag(bom),
  decimal: oneOf(['.', ','], '.'),
  blobs: oneOf(BLOB_FORMS, 'hex'),
  formulaGuard: flag(formulaGuard),
  excelDates: flag(excelDates),
  ddl: flag(ddl),
});

interface ExportSettings {
  readonly format: string;
  readonly options: ExportOptions;
}

function rememberedSettings(): ExportSettings {
  const { format, ...options } = v.parse(STORED, remembered(KEY));
  // The name of a table belongs to the data, not to the settings, and a stable dump is for the command line.
  return { format, options: { ...options, stable: false, tableName: '' } };
}

function rememberSettings({ format, options }: ExportSettings): void {
  const { tableName: _ofThisExport, stable: _ofCommands, ...kept } = options;
  // If there is no room to store them, the next export begins with the defaults.
  remember(KEY, { format, ...kept });
}

const PREVIEW_ROWS = 50;
const SETTLE_MS = 120;

interface Preview {
  readonly text: string;
  readonly isCut: boolean;
  readonly dateColumns: readonly string[];
  readonly problem: string | null;
}

/**
 * Null until the first preview is ready; the previous one stays until the next is.
 *
 * @param sourceNow the source with selected rows where they are by then
 */
function usePreview(
  database: DatabaseId,
  source: ExportSource | null,
  sourceNow: (() => ExportSource) | undefined,
  format: string,
  options: ExportOptions,
): Preview | null {
  const [preview, setPreview] = useState<Preview | null>(null);
  useEffect(() => {
    if (!source) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const asked = { database, source: sourceNow?.() ?? source, format, options, maxRows: PREVIEW_ROWS };
      client.call('export.text', asked, { signal: abort.signal }).then(
        ({ text, isCut, dateColumns }) => setPreview({ text, isCut, dateColumns, problem: null }),
        (thrown: unknown) => {
          if (!abort.signal.aborted)
            setPreview({ text: '', isCut: false, dateColumns: [], problem: toAppError(thrown).message });
        },
      );
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [database, source, sourceNow, format, options]);
  return preview;
}

export function ExportDialog({ request }: { readonly request: ExportRequest }): ReactNode {
  const form = useForm(request);
  const { chosen, whyNot, settings } = form;
  const first = useRef<HTMLSelectElement>(null);
  const save = async (): Promise<void> => {
    if (!chosen) return;
    const isBegun = await (form.isSplit ? exportToFolder(chosen, form.tables) : exportToFile(chosen));
    if (!isBegun) return;
    rememberSettings(settings);
    closeExport();
  };
  const copy = (): void => {
    if (!chosen) return;
    rememberSettings(settings);
    closeExport();
    void copyExport(chosen);
  };
  return (
    <Dialog
      title="Export"
      wide
      initialFocus={first}
      onClose={closeExport}
      footer={
        <>
          <Button onClick={closeExport}>Cancel</Button>
          <Button why={whyNoCopy(form) ?? whyNot} onClick={copy}>
            Copy
          </Button>
          <Button variant="primary" why={whyNot} onClick={() => void save()}>
            {form.isSplit ? 'Export to folder…' : 'Export to file…'}
          </Button>
        </>
      }
    >
      <div className="form-dialog">
        <Choices form={form} first={first} />
        <div className="stack gap-8 shrink-y">
          <PreviewText preview={form.preview} hint={form.whyNot} />
          {chosen && (
            <Limits
              format={chosen.format}
              hasBlobs={form.hasBlobs}
              formatted={request.formatted ?? []}
              notes={form.notes}
            />
          )}
        </div>
      </div>
    </Dialog>
  );
}

function whyNoCopy({ isSplit, chosen }: Form): string | null {
  if (isSplit) return 'Several files cannot be copied. Export them to a folder.';
  if (chosen?.format.isBinary) return 'This format is not text. Export it to a file.';
  const isFiles = chosen?.options.blobs === 'files' && chosen.format.canNameFiles === true;
  return isFiles ? 'BLOBs as files cannot be copied. Export to a file.' : null;
}

interface Form {
  readonly database: DatabaseId;
  readonly choices: readonly ExportChoice[];
  readonly choiceIndex: number;
  readonly tables: readonly string[];
  readonly isSplit: boolean;
  readonly tableFiles: TableFiles;
  readonly formats: readonly ExportFormatInfo[];
  readonly settings: ExportSettings;
  readonly chosen: ChosenExport | null;
  readonly preview: Preview | null;
  readonly hasBlobs: boolean;
  /** See {@link LimitsProps}. */
  readonly notes: readonly string[];
  readonly whyNot: string | null;
  choose(index: number): void;
  chooseTables(tables: readonly string[]): void;
  split(isSplit: boolean): void;
  set(change: Partial<ExportSettings>): void;
}

function useForm({ database, choices: offered }: ExportRequest): Form {
  const name = useStore(({ openDatabases }) => openDatabases[database]?.entry.name ?? 'database');
  const all = useFormats();
  const [choiceIndex, choose] = useState(0);
  const [tables, chooseTables] = useState<readonly string[]>([]);
  const [wantsSplit, split] = useState(false);
  const [settings, setSettings] = useState(rememberedSettings);
  const choices = useMemo(() => [...offered, ...choicesOf(name, tables)], [offered, name, tables]);
  const { source, sourceNow, fileName } = choices[choiceIndex]!;
  const formats = all.filter((one) => !one.copyOnly && canHold(one, source.kind));
  const format = formats.find(({ id }) => id === settings.format) ?? formats[0];
  const tableFiles = format ? tableFilesOf(format) : 'one';
  const isSplit = source.kind === 'tables' && (tableFiles === 'either' ? wantsSplit : tableFiles === 'each');
  const options = useMemo(() => (isSplit ? withoutFiles(settings.options) : settings.options), [isSplit, settings]);
  const isEmpty = source.kind === 'tables' && source.tables.length === 0;
  const shown = useMemo(() => (isSplit ? firstOf(source) : source), [isSplit, source]);
  const preview = usePreview(database, isEmpty || !format ? null : shown, sourceNow, format?.id ?? '', options);
  const objects = useSchema(database)?.objects ?? [];
  const cost = useReadCost(
    database,
    tablesRead(
      source,
      objects.filter(({ kind }) => kind === 'table').map((one) => one.name),
    ),
  );
  // Nobody has agreed to columns that are not named.
  const excelDates = options.excelDates && preview !== null && preview.dateColumns.length > 0;
  return {
    database,
    notes: [cost, capabilitiesOf(database).plain ? '' : NOT_ENCRYPTED].filter((note) => note !== ''),
    choices,
    choiceIndex,
    tables,
    isSplit,
    tableFiles,
    split,
    formats,
    settings: { ...settings, format: format?.id ?? settings.format },
    chosen: format
      ? { database, sourceNow: sourceNow ?? (() => source), format, options: { ...options, excelDates }, fileName }
      : null,
    preview: isEmpty ? null : preview,
    hasBlobs: useMayHoldBlobs(database, source),
    whyNot: isEmpty ? 'Select at least one table.' : (preview?.problem ?? null),
    choose,
    chooseTables,
    set: (change) => setSettings((before) => ({ ...before, ...change })),
  };
}

/** Several tables in one file, in a file each, or as the user chooses. */
type TableFiles = 'one' | 'each' | 'either';

/** Separate files require a format for one table that is not a database, and a folder, which a browser does not have. */
function tableFilesOf({ sources }: ExportFormatInfo): TableFiles {
  const canBeEach = isDesktop && sources.includes('table') && !sources.includes('schema');
  if (!canBeEach) return 'one';
  return sources.includes('tables') ? 'either' : 'each';
}

const canHold = (format: ExportFormatInfo, kind: ExportSource['kind']): boolean =>
  format.sources.includes(kind) || (kind === 'tables' && tableFilesOf(format) === 'each');

const withoutFiles = (options: ExportOptions): ExportOptions =>
  options.blobs === 'files' ? { ...options, blobs: 'hex' } : options;

/** The preview shows only the first file. */
const firstOf = (source: ExportSource): ExportSource =>
  source.kind === 'tables' ? { kind: 'table', table: source.tables[0] ?? '' } : source;

function Choices({ form, first }: { readonly form: Form; readonly first: Ref<HTMLSelectElement> }): ReactNode {
  const { chosen, choices, choiceIndex, settings } = form;
  const schema = useSchema(form.database);
  const { source } = choices[choiceIndex]!;
  return (
    <div className="form-choices">
      <SelectLine
        selectRef={first}
        label="What to export"
        shownLabel="Export"
        value={String(choiceIndex)}
        options={choices.map(({ label }, index) => [String(index), label] as const)}
        onChoose={(index) => form.choose(Number(index))}
      />
      {source.kind === 'tables' && <TableChecks schema={schema} chosen={form.tables} onChange={form.chooseTables} />}
      {chosen && (
        <>
          <FormatList formats={form.formats} value={chosen.format.id} onChoose={(format) => form.set({ format })} />
          {source.kind === 'tables' && isDesktop && <SplitCheck form={form} />}
          <OptionFields
            format={chosen.format}
            options={settings.options}
            ownTable={ownTableOf(source)}
            dateColumns={form.preview?.dateColumns ?? []}
            hasFolder={isDesktop && !form.isSplit}
            onChange={(change) => form.set({ options: { ...settings.options, ...change } })}
          />
        </>
      )}
    </div>
  );
}

/** Disabled if the format leaves no choice. */
function SplitCheck({ form }: { readonly form: Form }): ReactNode {
  return (
    <CheckBox
      label="One file per table, in a folder"
      checked={form.isSplit}
      disabled={form.tableFiles !== 'either'}
      onChange={(isOn) => form.split(isOn)}
    />
  );
}

function choicesOf(name: string, tables: readonly string[]): readonly ExportChoice[] {
  const fileName = name.replace(/\.(db|sqlite3?|s3db)$/i, '');
  return [
    { label: 'Several tables', source: { kind: 'tables', tables }, fileName },
    { label: 'Whole database', source: { kind: 'database' }, fileName },
    { label: 'Schema only', source: { kind: 'schema' }, fileName: `${fileName} schema` },
  ];
}

const ownTableOf = (source: ExportSource): string | null =>
  source.kind === 'table' ? source.table : source.kind === 'result' ? 'result' : null;

function useFormats(): readonly ExportFormatInfo[] {
  const [formats, setFormats] = useState<readonly ExportFormatInfo[]>([]);
  useEffect(() => {
    client.call('export.formats', {}).then(setFormats, notifyFailure);
  }, []);
  return formats;
}

interface FormatListProps {
  readonly formats: readonly ExportFormatInfo[];
  readonly value: string;
  readonly onChoose: (id: string) => void;
}

function FormatList({ formats, value, onChoose }: FormatListProps): ReactNode {
  return (
    <div className="form-box export-formats" role="radiogroup" aria-label="Format">
      {formats.map(({ id, label }) => (
        <RadioButton key={id} label={label} name="export-format" checked={id === value} onChoose={() => onChoose(id)} />
      ))}
    </div>
  );
}

/** The tables that are read completely: none for selected rows, or for the rows that a result keeps. */
function tablesRead(source: ExportSource, all: readonly string[]): readonly string[] {
  switch (source.kind) {
    case 'table':
      return source.rows ? [] : [source.table];
    case 'tables':
      return source.tables;
    case 'database':
      return all;
    default:
      return [];
  }
}

const NOT_ENCRYPTED = 'This database is encrypted; what is exported is not.';

/** Preview of an export: its first lines, and what its format cannot hold. */
function PreviewText({ preview, hint }: { readonly preview: Preview | null; readonly hint: string | null }): ReactNode {
  if (preview?.problem) return <p className="error flush export-problem">{preview.problem}</p>;
  return (
    <div className="fill form-text export-preview" role="region" aria-label="Preview" tabIndex={0}>
      {preview ? <pre>{preview.text}</pre> : <p className="dim flush">{hint}</p>}
      {preview?.isCut && <p>… and so on</p>}
    </div>
  );
}

interface LimitsProps {
  readonly format: ExportFormatInfo;
  readonly hasBlobs: boolean;
  /** Names of columns that are shown in another form. */
  readonly formatted: readonly string[];
  /** About the database: what reading from a server costs, and that an encrypted one is exported without encryption. */
  readonly notes: readonly string[];
}

function Limits({ format, hasBlobs, formatted, notes }: LimitsProps): ReactNode {
  const lost = [...format.cannotHold, ...(hasBlobs && format.ofBlobs !== undefined ? [format.ofBlobs] : [])];
  return (
    <div className="dim export-limits" role="note">
      {lost.length === 0 ? (
        <p>This format keeps every value exactly.</p>
      ) : (
        lost.map((sentence) => <p key={sentence}>{sentence}</p>)
      )}
      {formatted.length > 0 && <p>{storedForm(formatted)}</p>}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  );
}

const MOST_NAMES = 3;

const LIST = new Intl.ListFormat(LOCALE, { type: 'conjunction' });

function storedForm(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => `“${visibleName(name)}”`);
  const all = names.length > MOST_NAMES ? [...shown, `${formatCount(names.length - MOST_NAMES)} more`] : shown;
  return `Stored values are exported, not the formats in which the grid shows ${LIST.format(all)}.`;
}

interface TableChecksProps {
  readonly schema: SchemaSnapshot | null;
  readonly chosen: readonly string[];
  readonly onChange: (tables: readonly string[]) => void;
}

function TableChecks({ schema, chosen, onChange }: TableChecksProps): ReactNode {
  const tables = (schema?.objects ?? [])
    .filter(({ kind, problem }) => (kind === 'table' || kind === 'view' || kind === 'virtual') && problem === null)
    .map(({ name }) => name);
  const isAll = tables.length > 0 && chosen.length === tables.length;
  return (
    <div className="form-box export-tables" role="group" aria-label="Tables">
      <CheckBox label="All tables and views" checked={isAll} onChange={() => onChange(isAll ? [] : tables)} />
      {tables.map((table) => (
        <CheckBox
          key={table}
          label={visibleName(table)}
          checked={chosen.includes(table)}
          onChange={(isOn) => onChange(tables.filter((name) => (name === table ? isOn : chosen.includes(name))))}
        />
      ))}
    </div>
  );
}
