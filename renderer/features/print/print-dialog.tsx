// The dialog that prints rows or the schema: what, and whether on paper or as a PDF.
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { MAX_PRINTED_CELL_CHARS, MAX_PRINTED_CELLS, MAX_PRINTED_COLUMNS, MAX_PRINTED_ROWS } from '#shared/printing.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { formatCount } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import type { ExportRequest } from '../../workbench/files/export-request.ts';
import { savePages, showPages } from './print-actions.ts';
import './print.css';

interface PrintDialogProps {
  readonly request: ExportRequest;
  readonly onClose: () => void;
}

export function PrintDialog({ request: { database, choices }, onClose }: PrintDialogProps): ReactNode {
  const databaseName = useStore(({ openDatabases }) => openDatabases[database]?.entry.name ?? 'database');
  const [index, choose] = useState(0);
  const first = useRef<HTMLSelectElement>(null);
  const chosen = { database, databaseName, choice: choices[index]! };
  const print = (): void => {
    onClose();
    void showPages(chosen);
  };
  const save = async (): Promise<void> => {
    if (await savePages(chosen)) onClose();
  };
  return (
    <Dialog
      title="Print"
      initialFocus={first}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={() => void save()}>Save as PDF…</Button>
          <Button variant="primary" onClick={print}>
            Show pages and print…
          </Button>
        </>
      }
    >
      <div className="print-choices">
        <label>
          What to print
          <Select
            selectRef={first}
            label="What to print"
            value={String(index)}
            options={choices.map(({ label }, at) => [String(at), label] as const)}
            onChoose={(at) => choose(Number(at))}
          />
        </label>
        <FactList label="Limits">
          {chosen.choice.source.kind === 'schema' ? (
            <Fact tone="plain">The statements of all objects, tables first</Fact>
          ) : (
            <Fact tone="plain">
              {`At most ${formatCount(MAX_PRINTED_ROWS)} rows and ${MAX_PRINTED_COLUMNS} columns, and ${formatCount(MAX_PRINTED_CELLS)} cells. Values longer than ${MAX_PRINTED_CELL_CHARS} characters are cut. The pages say what is missing.`}
            </Fact>
          )}
        </FactList>
      </div>
    </Dialog>
  );
}
