// The formats a result can be saved as, as the menu lists them.
import { CSV_FORMAT } from './csv.ts';
import { JSON_FORMAT } from './json.ts';
import { MARKDOWN_FORMAT } from './markdown.ts';
import { PNG_FORMAT } from './png.ts';

export const RESULT_FORMATS = [JSON_FORMAT, CSV_FORMAT, MARKDOWN_FORMAT, PNG_FORMAT];
