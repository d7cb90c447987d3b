// The title bar that a page draws: its height, and its colors for the buttons that Windows draws in it.

export const TITLE_BAR = {
  height: 32,
  /** `--panel` and `--text` of renderer/ui/tokens.css. */
  light: { color: '#f4f4f2', symbolColor: '#1d1f21' },
  dark: { color: '#1d2023', symbolColor: '#e4e6e8' },
} as const;
