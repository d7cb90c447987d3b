// Menu in the bar of an SQL tab: the file that contains its text, and actions on it.
import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { visibleText } from '#shared/visible-text.ts';
import type { CommandId } from '#shared/commands.ts';
import { commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import type { TabFile } from '../../workbench/tabs/query.ts';
import { encodingLabel, LINE_END_LABELS } from '../../workbench/files/text-encoding.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';

export function FileMenu({ file }: { readonly file: TabFile | null }): ReactNode {
  const about: readonly MenuEntry[] = file
    ? [
        { heading: visibleText(file.displayPath) },
        { heading: `${encodingLabel(file.encoding)}, ${LINE_END_LABELS[file.lineEnds]}` },
      ]
    : [{ heading: 'This tab is not saved to a file' }];
  return (
    <Menu
      trigger={
        <IconButton label="File">
          <FileText size={14} aria-hidden />
        </IconButton>
      }
      entries={[
        ...about,
        entry('query.saveFile', 'Save'),
        entry('query.saveFileAs', 'Save as…'),
        'separator',
        entry('query.openFile', 'Open SQL file…'),
      ]}
    />
  );
}

/** Runs a command, and names its keys. */
export const entry = (id: CommandId, label: string): MenuEntry => ({
  label,
  hint: commandKeyLabel(id),
  run: () => void runCommand(id),
});
