// Text as Excel writes it into XML: characters that XML does not allow are written as `_xHHHH_` (ECMA-376 part 1, 22.4.2.4).

const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;

export const excelText = (text: string): string =>
  text.includes('_x')
    ? text.replace(ESCAPE, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
