// The parts of an SVG file as text.

/** Each with a space before it; without those that are undefined. */
export function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? svgNumber(value) : escapeXml(String(value))}"`)
    .join('');
}

/** Rounded to tenths of a pixel. */
export const svgNumber = (value: number): string => String(Math.round(value * 10) / 10);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Also escapes what XML has no way to write (w3.org/TR/xml/#charsets): controls, lone surrogates, U+FFFE and U+FFFF. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
