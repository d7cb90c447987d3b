// The list of all display formats, and a column's choice among them.
import type { Value } from '../protocol/values.ts';
import { BYTE_FORMATS } from './byte-formats.ts';
import type { DisplayFormat, ZoneName } from './format.ts';
import { MOMENT_FORMATS } from './moments.ts';
import { isZone } from './moment-text.ts';
import { NUMBER_FORMATS } from './number-formats.ts';

export const DISPLAY_FORMATS: readonly DisplayFormat[] = [...MOMENT_FORMATS, ...NUMBER_FORMATS, ...BYTE_FORMATS];

/** What is remembered of a column that is shown in a format. */
export interface FormatChoice {
  readonly format: string;
  readonly zone: ZoneName;
}

/** The format of a choice; null if this version or this system does not know the format or its zone: values are shown as stored then. */
export function formatOf({ format: id, zone }: FormatChoice): DisplayFormat | null {
  const format = DISPLAY_FORMATS.find((each) => each.id === id);
  return format && (!format.hasZone || isZone(zone)) ? format : null;
}

/** Whether a typed text replaces the value by way of the format: the value is shown in it, or it is NULL. */
export const isEditedIn = (format: DisplayFormat, zone: ZoneName, value: Value): boolean =>
  format.parse !== undefined && (value === null ? format.takesNull : format.show(value, zone) !== null);
