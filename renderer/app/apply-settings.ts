// Applies the settings to the window: theme, fonts, the format of cells, and of numbers and dates.
import { setCellFormat } from '../grid/paint/cell-format.ts';
import { setRowHeight } from '../grid/layout/geometry.ts';
import { setFormats } from '../ui/format.ts';
import { useSettings } from '../state/settings.ts';
import type { SettingValues } from '#shared/settings/definitions.ts';

const ROW_HEIGHTS = { compact: 21, normal: 25, comfortable: 31 } as const;
/** Row height for each pixel of the font size. */
const ROOM_FOR_FONT = 1.6;

let applied = 0;

/** Applies the settings now and whenever they, or the system's theme, change. */
export function followSettings(): void {
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    const { values } = useSettings.getState();
    // Grids look at these when an attribute of the document changes, so they come first.
    setRowHeight(Math.max(ROW_HEIGHTS[values['grid.density']], Math.round(values['grid.fontSize'] * ROOM_FOR_FONT)));
    setCellFormat({
      nullText: values['grid.null'],
      groupsDigits: values['grid.groupDigits'],
      dates: values['grid.dates'],
      blobs: values['grid.blobs'],
      font: `${values['grid.fontSize']} ${values['data.font']}`,
    });
    setFormats({ numbers: values['format.numbers'], dates: values['format.dates'], clock: values['format.clock'] });
    applyFonts(values);
    const { theme } = values;
    const isDark = theme === 'dark' || (theme === 'system' && systemIsDark.matches);
    const root = document.documentElement;
    root.dataset['theme'] = isDark ? 'dark' : 'light';
    root.style.colorScheme = theme === 'system' ? '' : theme;
    // Grids paint again, whatever has changed.
    root.style.setProperty('--settings', String(++applied));
  };
  systemIsDark.addEventListener('change', apply);
  useSettings.subscribe(({ values }, before) => values !== before.values && apply());
  apply();
}

function applyFonts(values: SettingValues): void {
  const { style } = document.documentElement;
  const set = (name: string, value: string): void => {
    if (value === '') style.removeProperty(name);
    else style.setProperty(name, value);
  };
  set('--mono', families(values['data.font'], 'monospace'));
  set('--ui', families(values['interface.font'], 'sans-serif'));
  set('--cell-font-size', `${values['grid.fontSize']}px`);
  set('--sql-font-size', `${values['editor.fontSize']}px`);
}

/** The settings let no character through that could end the text. */
function families(names: string, generic: string): string {
  const quoted = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => `'${name}'`);
  return quoted.length === 0 ? '' : [...quoted, generic].join(', ');
}
