// The entries of a grid's menu that copy cells: they say which form of the values is copied where columns show another one.
import type { MenuEntry } from '../../ui/menu.tsx';
import { commandItem } from '../commands/commands.ts';
import { copyAsMenu } from './copy-as.ts';

/** @param hasKey rows can be copied as UPDATE statements @param hasFormats a column has a display format */
export function copyEntries(hasKey: boolean, hasFormats: boolean, isComplete = true): readonly MenuEntry[] {
  return [
    hasFormats ? { ...commandItem('grid.copy'), label: 'Copy stored values' } : commandItem('grid.copy'),
    ...(hasFormats ? [commandItem('grid.copyAsShown')] : []),
    commandItem('grid.copyWithHeaders'),
    commandItem('grid.copyTransposed'),
    ...(isComplete ? [copyAsMenu(hasKey)] : []),
  ];
}
