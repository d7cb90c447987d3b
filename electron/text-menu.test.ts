import { expect, test, vi } from 'vitest';
import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import { Lifetime } from './lifetime.ts';

const popup = vi.fn();
const built: { items: readonly MenuItemConstructorOptions[] } = { items: [] };
let opened: (event: unknown, browserWindow: unknown) => void = () => undefined;
vi.mock(
  import('electron'),
  () =>
    ({
      app: { on: (_event: string, listener: typeof opened) => (opened = listener) },
      Menu: {
        buildFromTemplate: (items: MenuItemConstructorOptions[]) => {
          built.items = items;
          return { popup };
        },
      },
    }) as never,
);
const tell = vi.fn(() => Promise.resolve(true));
const enabledCommands = new Set(['query.run', 'editor.format']);
vi.mock(import('./windows/registry.ts'), () => ({ tell }) as never);
vi.mock(
  import('./compat.ts'),
  () => ({ isRichText: ({ formControlType }: ContextMenuParams) => formControlType === 'none' }) as never,
);
const { serveTextMenu } = await import('./text-menu.ts');

serveTextMenu({ of: () => ({ enabledCommands }) } as never, new Lifetime(), { get: () => ({}) } as never);
let rightClick: (event: unknown, params: unknown) => void = () => undefined;
const browserWindow = {
  webContents: { on: (_event: string, listener: typeof rightClick) => (rightClick = listener) },
};
opened(null, browserWindow);

/** The entries of the menu that opens; none: no menu opens. */
function menuOf(params: Partial<ContextMenuParams>): string[] {
  popup.mockClear();
  built.items = [];
  const editFlags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
  rightClick(null, { selectionText: '', formControlType: 'input-text', menuSourceType: 'mouse', editFlags, ...params });
  expect(popup).toHaveBeenCalledTimes(built.items.length > 0 ? 1 : 0);
  return built.items.map(({ label, role, type }) => label ?? role ?? type ?? '');
}

test('a field can be cut and pasted into, and what is only shown can be copied once it is selected', () => {
  expect(menuOf({ isEditable: true })).toEqual(['cut', 'copy', 'paste', 'separator', 'selectAll']);
  expect(menuOf({ isEditable: false, selectionText: 'cat' })).toEqual(['copy']);
  expect(menuOf({ isEditable: false, selectionText: ' \n' })).toEqual([]);
});

test('SQL has those of its commands that can be run, above those of every text', () => {
  const entries = menuOf({ isEditable: true, formControlType: 'none' });
  expect(entries).toEqual([
    'Run Statement or Selection',
    'separator',
    'Format SQL',
    'separator',
    ...['cut', 'copy', 'paste', 'separator', 'selectAll'],
  ]);
  built.items.find(({ label }) => label === 'Format SQL')!.click!(null as never, undefined, null as never);
  expect(tell).toHaveBeenCalledExactlyOnceWith({ enabledCommands }, 'menu.chosen', expect.any(Function));
});

test('it opens at the caret for the menu key, and at the pointer otherwise', () => {
  menuOf({ isEditable: true });
  expect(popup).toHaveBeenCalledWith({ window: browserWindow });
  menuOf({ isEditable: true, menuSourceType: 'keyboard', x: 10.4, y: 20.6 });
  expect(popup).toHaveBeenCalledWith({ window: browserWindow, x: 10, y: 21 });
});
