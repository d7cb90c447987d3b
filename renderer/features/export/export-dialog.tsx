// The dialog of an export: what, in which format, with which options, and the first lines as they will be written.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import type { DatabaseId, ExportFormatInfo, ExportSource } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useSchema } from '../../state/schema.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { closeExport } from '../../workbench/export-request.ts';
import type { ExportChoice, ExportRequest } from '../../workbench/export-request.ts';
import { copyExport, exportToFile } from './export-actions.ts';
import type { ChosenExport } from './export-actions.ts';
import { OptionFields } from './option-fields.tsx';
import { rememberedSettings, rememberSettings } from './remembered.ts';
import type { ExportSettings } from './remembered.ts';
import { TableChecks } from './table-checks.tsx';
import { usePreview } from './use-preview.ts';
import type { Preview } from './use-preview.ts';
import './export.css';

export function ExportDialog({ request }: { readonly request: ExportRequest }): ReactNode {
  const form = useForm(request);
  const { chosen, whyNot, settings } = form;
  const first = useRef<HTMLSelectElement>(null);
  const save = async (): Promise<void> => {
    if (!chosen || !(await exportToFile(chosen))) return;
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
          <Button
            why={chosen?.format.isBinary ? 'This format is no text. Export it to a file.' : whyNot}
            onClick={copy}
          >
            Copy
          </Button>
          <Button variant="primary" why={whyNot} onClick={() => void save()}>
            Export to file…
          </Button>
        </>
      }
    >
      <div className="export-dialog">
        <Choices form={form} first={first} />
        <div className="export-result">
          <PreviewText preview={form.preview} />
          {chosen && <Limits format={chosen.format} />}
        </div>
      </div>
    </Dialog>
  );
}

interface Form {
  readonly database: DatabaseId;
  readonly choices: readonly ExportChoice[];
  readonly choiceIndex: number;
  readonly tables: readonly string[];
  /** Those that can hold what is chosen. */
  readonly formats: readonly ExportFormatInfo[];
  readonly settings: ExportSettings;
  /** Null until the formats are known. */
  readonly chosen: ChosenExport | null;
  readonly preview: Preview | null;
  /** Why it cannot be exported as it is now. */
  readonly whyNot: string | null;
  choose(index: number): void;
  chooseTables(tables: readonly string[]): void;
  set(change: Partial<ExportSettings>): void;
}

function useForm({ database, choices: offered }: ExportRequest): Form {
  const name = useStore(({ openDatabases }) => openDatabases[database]?.entry.name ?? 'database');
  const all = useFormats();
  const [choiceIndex, choose] = useState(0);
  const [tables, chooseTables] = useState<readonly string[]>([]);
  const [settings, setSettings] = useState(rememberedSettings);
  const choices = useMemo(() => [...offered, ...choicesOf(name, tables)], [offered, name, tables]);
  const { source, fileName } = choices[choiceIndex]!;
  const formats = all.filter((format) => !format.copyOnly && format.sources.includes(source.kind));
  const format = formats.find(({ id }) => id === settings.format) ?? formats[0];
  const { options } = settings;
  const isEmpty = source.kind === 'tables' && source.tables.length === 0;
  const preview = usePreview(database, isEmpty || !format ? null : source, format?.id ?? '', options);
  return {
    database,
    choices,
    choiceIndex,
    tables,
    formats,
    settings: { ...settings, format: format?.id ?? settings.format },
    chosen: format ? { database, source, format, options, fileName } : null,
    preview: isEmpty ? null : preview,
    whyNot: isEmpty ? 'Check at least one table.' : (preview?.problem ?? null),
    choose,
    chooseTables,
    set: (change) => setSettings((before) => ({ ...before, ...change })),
  };
}

function Choices({ form, first }: { readonly form: Form; readonly first: Ref<HTMLSelectElement> }): ReactNode {
  const { chosen, choices, choiceIndex, settings } = form;
  const schema = useSchema(form.database);
  const { source } = choices[choiceIndex]!;
  return (
    <div className="export-choice">
      <div className="export-field">
        <span aria-hidden="true">Export</span>
        <Select
          selectRef={first}
          label="What to export"
          value={String(choiceIndex)}
          options={choices.map(({ label }, index) => [String(index), label] as const)}
          onChoose={(index) => form.choose(Number(index))}
        />
      </div>
      {source.kind === 'tables' && <TableChecks schema={schema} chosen={form.tables} onChange={form.chooseTables} />}
      {chosen && (
        <>
          <FormatList formats={form.formats} value={chosen.format.id} onChoose={(format) => form.set({ format })} />
          <OptionFields
            format={chosen.format}
            options={settings.options}
            ownTable={ownTableOf(source)}
            onChange={(change) => form.set({ options: { ...settings.options, ...change } })}
          />
        </>
      )}
    </div>
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
    <div className="export-formats" role="radiogroup" aria-label="Format">
      {formats.map(({ id, label }) => (
        <label key={id} className="export-check">
          <input type="radio" name="export-format" checked={id === value} onChange={() => onChoose(id)} />
          {label}
        </label>
      ))}
    </div>
  );
}

function PreviewText({ preview }: { readonly preview: Preview | null }): ReactNode {
  if (preview?.problem) return <p className="export-problem">{preview.problem}</p>;
  return (
    <div className="export-preview" role="region" aria-label="Preview" tabIndex={0}>
      <pre>{preview?.text ?? ''}</pre>
      {preview?.isCut && <p>… and so on</p>}
    </div>
  );
}

function Limits({ format }: { readonly format: ExportFormatInfo }): ReactNode {
  return (
    <div className="export-limits" role="note">
      {format.cannotHold.length === 0 ? (
        <p>This format keeps every value exactly.</p>
      ) : (
        format.cannotHold.map((sentence) => <p key={sentence}>{sentence}</p>)
      )}
    </div>
  );
}
