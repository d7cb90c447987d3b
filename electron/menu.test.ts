import { beforeEach, expect, test, vi } from 'vitest';
import type { MenuItemConstructorOptions } from 'electron';

const shown: { menu: readonly MenuItemConstructorOptions[] } = { menu: [] };
vi.mock(
  import('electron'),
  () =>
    ({
      app: { isPackaged: true },
      Menu: {
        buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
        setApplicationMenu: (template: MenuItemConstructorOptions[]) => (shown.menu = template),
        getApplicationMenu: () => null,
      },
      BrowserWindow: { getFocusedWindow: () => null },
    }) as never,
);
vi.mock(import('./dropped.ts'), () => ({ logDropped: vi.fn() }) as never);
const { keepMenu } = await import('./menu.ts');

const items = (): MenuItemConstructorOptions[] =>
  shown.menu.flatMap(({ submenu }) => submenu as MenuItemConstructorOptions[]);
const recentItems = () => {
  const { enabled, submenu } = items().find(({ label }) => label === 'Open Recent')!;
  return { enabled, entries: submenu as (MenuItemConstructorOptions & { click(): void })[] };
};

const chosen = new Map<string, unknown>();
const heard: Record<'settings' | 'recent', () => void> = { settings: () => undefined, recent: () => undefined };
let paths: readonly string[] = [];
const clear = vi.fn(() => (paths = []));
const openFile = vi.fn();

beforeEach(() => {
  chosen.clear();
  chosen.set('keys', {}).set('recentFiles', true);
  paths = [];
  vi.clearAllMocks();
  keepMenu({
    windows: { current: null },
    settings: { get: (id: string) => chosen.get(id), onChange: (listener: () => void) => (heard.settings = listener) },
    recent: {
      get paths() {
        return paths;
      },
      add: () => undefined,
      idOf: (path: string) => path,
      clear,
      onChange: (listener: () => void) => (heard.recent = listener),
    },
    openWindow: () => undefined,
    openFile,
  } as never);
});

test('recent files are in the menu as they are at the moment, and open when they are chosen', () => {
  expect(recentItems()).toEqual({ enabled: false, entries: [] });
  paths = ['/home/ann/this & that.db', '/home/ann/right\u202eleft.db'];
  heard.recent();
  const { enabled, entries } = recentItems();
  expect(enabled).toBe(true);
  expect(entries.map(({ label, type }) => label ?? type)).toEqual([
    '/home/ann/this && that.db',
    expect.not.stringContaining('\u202e'),
    'separator',
    'Clear Recent Files',
  ]);
  entries[1]!.click();
  expect(openFile).toHaveBeenCalledExactlyOnceWith('/home/ann/right\u202eleft.db');
  entries[3]!.click();
  expect(clear).toHaveBeenCalledTimes(1);
});

test('recent files are forgotten when they are no longer to be remembered', () => {
  heard.settings();
  expect(clear).not.toHaveBeenCalled();
  chosen.set('recentFiles', false);
  heard.settings();
  expect(clear).toHaveBeenCalledTimes(1);
});

test('the key of an entry is the one that was chosen', () => {
  const key = (): unknown => items().find(({ id }) => id === 'query.new')!.accelerator;
  expect(key()).toBe('CmdOrCtrl+T');
  chosen.set('keys', { 'query.new': ['CmdOrCtrl+Alt+N'] });
  heard.settings();
  expect(key()).toBe('CmdOrCtrl+Alt+N');
});

test('the menu Edit has one entry to copy and one to paste', () => {
  const edit = shown.menu.find(({ label }) => label === '&Edit')!.submenu as MenuItemConstructorOptions[];
  const words = edit.map(({ label, role, type }) => label ?? role ?? type);
  const first = ['Undo', 'Redo', 'separator', 'cut', 'copy', 'Copy with Headers', 'Copy as Shown', 'Copy Transposed', 'paste', 'Paste Special…', 'selectAll', 'separator']; // prettier-ignore
  expect(words.slice(0, first.length)).toEqual(first);
});
