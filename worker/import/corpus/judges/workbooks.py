# Makes workbooks in the folder it is given, with XlsxWriter and openpyxl, and says what openpyxl reads of each.
import datetime as d, re, sys
import openpyxl, xlsxwriter
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font, PatternFill
from cells import add, cell, path_of, say

folder = sys.argv[1]

def has(letters, code):
    return re.search(letters, re.sub(r'"[^"]*"|\\.|\[[^\]]*\]', '', code.lower())) is not None

def read(found):
    value, code = found.value, found.number_format
    ms = lambda of: f'.{of.microsecond // 1000:03}' if of.microsecond else ''
    if isinstance(value, d.datetime):
        return ['text', f'{value:%Y-%m-%d}' + (f' {value:%H:%M:%S}{ms(value)}' if has('[hs]', code) or value.time() != d.time() else '')]
    if isinstance(value, d.time):
        return ['text', f'{value:%H:%M:%S}{ms(value)}']
    if isinstance(value, d.timedelta):
        s = value.days * 86400 + value.seconds
        return ['text', f'{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}{ms(value) if hasattr(value, "microsecond") else ""}']
    return cell(value)

def judge(name, path, names=True, first=None):
    # `names` None: the first row has values, too. `first`: the column that rows begin with, which may be empty.
    book = openpyxl.load_workbook(path, data_only=True)
    sheet = next((one for one in book.worksheets if one.sheet_state == 'visible'), book.worksheets[0])
    found = {}
    # A million rows may be empty.
    for (row, column), one in sheet._cells.items():
        value = read(one)
        if value is not None: found.setdefault(row, {})[column] = value
    places = [column for row in found.values() for column in row]
    rows = [[found[row].get(column) for column in range(first or min(places), max(places) + 1)] for row in sorted(found)]
    columns = [one[1].strip() if one else '' for one in rows[0]] if names else None
    add(name, path, columns, rows if names is None else rows[1:])

FAMILIES = {
    'integers': [0, 1, -1, 2**31, -2**31, 2**53, 999999999999999],
    'long integers': [10**15, 2**53 + 2, 12345678901234567],
    'reals': [0.1, -0.5, 1e-7, 1.5e300, 123456.789, 0.30000000000000004, 1e21, 5e-324],
    'texts': ['plain', ' leading', 'trailing ', '007', '1.10', '1e5', 'true', '2026-01-31', "it's", '"', 'a\nb', '<b>&amp;</b>', '_x0041_', '😀', 'é', '\t', '#N/A', '[1]', '{}', '12345678901234567890', 'null', '-'],
    'long texts': ['x' * 32767, 'ü' * 5000, 'a' * 100],
    'booleans': [True, False, True],
    'mixed': [1, 'one', True, 2.5, None, '2', d.datetime(2024, 2, 29, 12, 30)],
    'numbers and words': [1, 2, 'n/a', 4.5, ''],
    'days': [d.datetime(1900, 1, 1), d.datetime(1900, 2, 28), d.datetime(1900, 3, 1), d.datetime(1904, 1, 2), d.datetime(2024, 2, 29), d.datetime(9999, 12, 31)],
    'moments': [d.datetime(2024, 2, 29, 23, 59, 59), d.datetime(1970, 1, 1, 0, 0, 1), d.datetime(2000, 1, 1, 12, 0, 0, 123000)],
    'times': [d.time(0, 0, 1), d.time(12, 30), d.time(23, 59, 59)],
}
CODES = {'days': 'yyyy-mm-dd', 'moments': 'yyyy-mm-dd hh:mm:ss', 'times': 'hh:mm:ss', 'mixed': None}
WRITERS = {
    'shared texts': {}, 'texts in their cells': {'constant_memory': True}, 'from 1904': {'date_1904': True}, 'openpyxl': None, 'openpyxl, as a stream': None,
}

def write(path, values, options, code):
    with xlsxwriter.Workbook(path, options) as book:
        sheet = book.add_worksheet()
        style, moment = book.add_format({'num_format': code or 'General'}), book.add_format({'num_format': 'dd/mm/yyyy hh:mm'})
        sheet.write_row(0, 0, ['k', 'value'])
        for at, value in enumerate(values, 1):
            sheet.write_string(at, 0, f'row {at}')
            if isinstance(value, str) and value: sheet.write_string(at, 1, value)
            elif isinstance(value, d.datetime): sheet.write_datetime(at, 1, value, style if code else moment)
            elif isinstance(value, d.time): sheet.write_datetime(at, 1, value, style)
            elif value is not None and value != '': sheet.write(at, 1, value)

def write_openpyxl(path, values, stream, code):
    book = openpyxl.Workbook(write_only=stream)
    sheet = book.create_sheet() if stream else book.active
    sheet.append(['k', 'value'])
    for at, value in enumerate(values, 1):
        one = openpyxl.cell.WriteOnlyCell(sheet, value) if stream else None
        sheet.append([f'row {at}', one if stream else None])
        if not stream: one = sheet.cell(at + 1, 2); one.value = value
        if isinstance(value, str): one.data_type = 's'
        if code and value is not None: one.number_format = code
    book.save(path)

for family, values in FAMILIES.items():
    for writer, options in WRITERS.items():
        if family in ('days', 'mixed') and writer == 'from 1904': values = [v for v in values if not isinstance(v, d.datetime) or v.year >= 1905]
        name = f'{family}, {writer}'
        path = path_of(folder, name, 'xlsx')
        if options is None: write_openpyxl(path, values, 'stream' in writer, CODES.get(family))
        else: write(path, values, options, CODES.get(family))
        judge(name, path)

# How numbers are shown says what dates are.
SHOWN = ['0.00%', '#,##0.00 "days"', '[Red]0', '0.00E+00', '# ?/?', '@', '"y"0', 'd/m/yy', 'mmm-yy', '[$-409]d mmmm yyyy', 'dd.mm.yyyy;@', 'yyyy"y"', '[h]:mm', '[mm]:ss', 'mm:ss.0', 'h:mm AM/PM', 'yyyy\\-mm', '[<1]0;0.0', '_-* #,##0.00_-', 'General', '0;[Red]-0;"zero";@', 'm/d/yyyy h:mm']
for code in SHOWN:
    path = path_of(folder, 'shown', 'xlsx')
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ['k', 'value'])
        for at, number in enumerate([45351.5, 61, 1.25, 2], 1):
            sheet.write(at, 0, 'row')
            sheet.write_number(at, 1, number, book.add_format({'num_format': code}))
    judge(f'numbers shown as {code}', path)

ROWS = [['id', 'name', 'amount'], [1, 'ant', 1.5], [2, 'bee', None], [3, 'cat', 7]]

def put(sheet, rows, row=0, column=0):
    for at, values in enumerate(rows): sheet.write_row(row + at, column, values)

def layout(name, make, names=True, options={}, first=None):
    path = path_of(folder, name, 'xlsx')
    with xlsxwriter.Workbook(path, options) as book: make(book)
    judge(name, path, names, first)

def lines(book):
    chart = book.add_chart({'type': 'line'})
    chart.add_series({'values': '=rows!$C$2:$C$4'})
    return chart

def first_sheet(make):
    return lambda book: make(book, book.add_worksheet())

layout('rows, empty rows above', first_sheet(lambda b, s: put(s, ROWS, 4)))
layout('rows, empty columns before', first_sheet(lambda b, s: put(s, ROWS, 0, 3)), names=False, first=1)
layout('rows, empty rows between', first_sheet(lambda b, s: [put(s, ROWS[:2]), put(s, ROWS[2:], 7)]))
layout('rows, the last at the end of the sheet', first_sheet(lambda b, s: [put(s, ROWS), s.write(1048575, 0, 9)]))
layout('2,000 columns, most of them empty', first_sheet(lambda b, s: [put(s, [['a', 'b'], [1, 2]]), s.write(0, 1999, 'last'), s.write(1, 1999, 3)]), names=False)
layout('1,000 columns', first_sheet(lambda b, s: put(s, [[f'c{at}' for at in range(1000)], list(range(1000)), [None] * 999 + ['end']])))
layout('a hidden sheet first', lambda b: [put(b.add_worksheet('hidden'), [['x'], [1]]), put(b.add_worksheet('shown'), ROWS), b.worksheets()[1].activate(), b.worksheets()[0].hide()])
layout('a very hidden sheet first', lambda b: [put(b.add_worksheet('hidden'), [['x'], [1]]), put(b.add_worksheet('shown'), ROWS), b.worksheets()[1].activate(), b.worksheets()[0].very_hidden()])
layout('several sheets', lambda b: [put(b.add_worksheet(name), ROWS) for name in ("it's", 'ü & <x>', '😀')])
layout('a chart first', lambda b: [b.add_chartsheet('c').set_chart(lines(b)), put(b.add_worksheet('rows'), ROWS)])
layout('merged cells', first_sheet(lambda b, s: [put(s, ROWS), s.merge_range('B6:C7', 'both'), s.write('A6', 4), s.write('A7', 5)]))
layout('styles, widths, comments and links', first_sheet(lambda b, s: [put(s, ROWS), s.set_column('A:C', 30, b.add_format({'bold': True})), s.write_comment('A2', 'said'), s.write_url('B6', 'https://example.com/?a=1&b=2'), s.write('A6', 4), s.freeze_panes(1, 0), s.autofilter('A1:C4')]))
layout('a table with totals', first_sheet(lambda b, s: s.add_table('A1:C5', {'data': ROWS[1:], 'columns': [{'header': 'id'}, {'header': 'name'}, {'header': 'amount'}], 'total_row': False})))
layout('rich texts', first_sheet(lambda b, s: [put(s, [['k', 'v']]), s.write('A2', 1), s.write_rich_string('B2', 'a ', b.add_format({'bold': True}), ' bold ', 'end '), s.write('A3', 2), s.write_rich_string('B3', b.add_format({'italic': True}), '007', ' ')]))
layout('formulas with saved results', first_sheet(lambda b, s: [put(s, [['k', 'v', 'w']]), s.write('A2', 'x'), s.write_formula('B2', '=1+1', None, 2), s.write_formula('C2', '="a"&"b"', None, 'ab'), s.write('A3', 'y'), s.write_formula('B3', '=0.1', None, 0.1), s.write_formula('C3', '=1=1', None, True), s.write('A4', 'z'), s.write_formula('B4', '=1/0', None, '#DIV/0!'), s.write_formula('C4', '=""', None, ''), s.write('A5', 'w'), s.write_array_formula('B5:B5', '{=SUM(A1:A2)}', None, 5), s.write_dynamic_array_formula('C5', '=LEN(A1)', None, 1)]))
layout('texts that look like formulas', first_sheet(lambda b, s: [put(s, [['k', 'v']]), s.write_string('A2', '=1+1'), s.write_string('B2', "'007", b.add_format({'quote_prefix': True})), s.write_string('A3', '+1'), s.write_string('B3', '@x')]))
layout('names with line ends and blanks', first_sheet(lambda b, s: put(s, [['a\nb', ' c ', 'ü'], ['x', 'y', 'z']])))
layout('years as names', first_sheet(lambda b, s: put(s, [['k', 2023, 2024], ['a', 1, 2], ['b', 3, 4]])))
layout('only names', first_sheet(lambda b, s: put(s, [['a', 'b', 'c']])), names=None)
layout('one column', first_sheet(lambda b, s: put(s, [['name'], ['Ann'], ['Bob'], ['Cyd']])))
layout('days and nothing', first_sheet(lambda b, s: [put(s, [['k', 'day'], ['a'], ['b'], ['c']]), s.write_datetime('B2', d.datetime(2024, 1, 2), b.add_format({'num_format': 14})), s.write_blank('B3', None, b.add_format({'num_format': 14}))]))
for zipped in (False, True):
    layout(f'rows, zip64 {zipped}', first_sheet(lambda b, s: put(s, ROWS)), options={'use_zip64': zipped})

def openpyxl_book(name, make):
    path = path_of(folder, name, 'xlsx')
    book = openpyxl.Workbook()
    make(book, book.active)
    book.save(path)
    judge(name, path)

def errors(book, sheet):
    sheet.append(['k', 'v'])
    for one in ('#N/A', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#NULL!'): sheet.append(['x', one])

def unsaved(book, sheet):
    sheet.append(['k', 'v', 'w'])
    for at in range(3): sheet.append([f'r{at}', f'={at}+1', at])

def rich(book, sheet):
    sheet.append(['k', 'v'])
    sheet.append(['x', CellRichText('a ', TextBlock(InlineFont(b=True), 'b'), '\nc')])
    sheet.append(['y', CellRichText(TextBlock(InlineFont(i=True), ' 1 '))])

def styled(book, sheet):
    for row in ROWS: sheet.append(row)
    for row in sheet['A10:F20']:
        for one in row: one.fill = PatternFill('solid', 'FFFF00')
    sheet['A1'].font = Font(bold=True)

def durations(book, sheet):
    sheet.append(['k', 'v'])
    for one in (d.timedelta(hours=30, minutes=5), d.timedelta(seconds=1), d.timedelta(days=10)): sheet.append(['x', one])

for name, make in {'errors': errors, 'formulas without saved results': unsaved, 'rich texts in their cells': rich, 'styles without values': styled, 'durations': durations}.items():
    openpyxl_book(name, make)

say()
