// The setting for what opening a file does.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { OpenFilesChoice } from '#shared/shell-api.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';

const LABELS: Readonly<Record<OpenFilesChoice, string>> = {
  ask: 'Ask each time',
  copy: 'Copy it into the library',
  'in-place': 'Open it in place',
};

export function OpeningChoice(): ReactNode {
  const [choice, setChoice] = useState<OpenFilesChoice>('ask');
  useEffect(() => void shell.openFilesChoice().then(setChoice), []);
  const entries = (Object.keys(LABELS) as OpenFilesChoice[]).map((id) => ({
    label: LABELS[id],
    checked: id === choice,
    run: () => {
      shell.setOpenFilesChoice(id).catch(notifyFailure);
      setChoice(id);
    },
  }));
  return (
    <Menu
      align="end"
      trigger={<Button title="What opening a file does">Opening…</Button>}
      entries={[{ heading: 'Opening a file' }, ...entries]}
    />
  );
}
