# Makes Parquet files in the folder it is given, with pyarrow, and says what pyarrow reads of each.
import datetime as d, decimal, json, random, sys, uuid
import pyarrow as pa, pyarrow.parquet as pq
from cells import add, cell, path_of, say

folder = sys.argv[1]
DIGITS = {'s': 3, 'ms': 3, 'us': 6, 'ns': 9}
PER_SECOND = {'s': 1, 'ms': 10**3, 'us': 10**6, 'ns': 10**9}
DAY0 = d.date(1970, 1, 1)
utc = d.timezone.utc
D = decimal.Decimal
decimal.getcontext().prec = 100

def clock(units, unit):
    seconds, rest = divmod(units, PER_SECOND[unit])
    fraction = str(rest * 1000 if unit == 's' else rest).zfill(DIGITS[unit])
    return f'{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{fraction}'

def moment(units, unit, zone):
    days, rest = divmod(units, 86400 * PER_SECOND[unit])
    return f'{(DAY0 + d.timedelta(days=days)).isoformat()} {clock(rest, unit)}{"Z" if zone else ""}'

def said(value, type):
    """As Sidelite writes values of this type."""
    if value is None or not value.is_valid:
        return None
    if isinstance(value, pa.ExtensionScalar) or hasattr(type, 'storage_type'):
        return ['text', str(value.as_py())]
    if pa.types.is_dictionary(type):
        return said(value.dictionary[value.index.as_py()], type.value_type)
    if pa.types.is_timestamp(type): return ['text', moment(value.value, type.unit, type.tz)]
    if pa.types.is_time(type): return ['text', clock(value.value, type.unit)]
    if pa.types.is_date32(type): return ['text', (DAY0 + d.timedelta(days=value.value)).isoformat()]
    if pa.types.is_date64(type): return ['text', (DAY0 + d.timedelta(milliseconds=value.value)).isoformat()]
    if pa.types.is_duration(type): return ['number', str(value.value)]
    if pa.types.is_nested(type): return ['json', nested(value, type)]
    if pa.types.is_float32(type) or pa.types.is_float16(type): return cell(float(value.as_py()))
    return cell(value.as_py())

def nested(value, type):
    if value is None or not value.is_valid:
        return 'null'
    if pa.types.is_struct(type):
        parts = [f'{json.dumps(field.name)}:{nested(value[at], field.type)}' for at, field in enumerate(type)]
        return '{' + ','.join(parts) + '}'
    if pa.types.is_map(type):
        pairs = value.values
        parts = [f'{json.dumps(pairs[at][0].as_py())}:{nested(pairs[at][1], type.item_type)}' for at in range(len(pairs))]
        return '{' + ','.join(parts) + '}'
    if pa.types.is_nested(type):
        return '[' + ','.join(nested(one, type.value_type) for one in value.values) + ']'
    kind, text = said(value, type)
    return text if kind in ('number', 'boolean') else json.dumps(text)

def judge(name, table, **options):
    path = path_of(folder, name, 'parquet')
    pq.write_table(table, path, **options)
    read = pq.read_table(path)
    columns = [[said(one, read.schema.field(at).type) for one in column] for at, column in enumerate(read.columns)]
    # As in every format, names are trimmed, and made where there is none.
    names = [one.strip() or f'column{at}' for at, one in enumerate(read.column_names, 1)]
    add(name, path, names, [list(row) for row in zip(*columns)])

def column(type, values):
    values = values + [None]
    return pa.table({'k': pa.array(range(len(values)), pa.int32()), 'v': pa.array(values, type)})

TYPES = {
    **{str(getattr(pa, f'int{bits}')()): (getattr(pa, f'int{bits}')(), [0, -2**(bits - 1), 2**(bits - 1) - 1]) for bits in (8, 16, 32, 64)},
    **{str(getattr(pa, f'uint{bits}')()): (getattr(pa, f'uint{bits}')(), [0, 2**bits - 1, 2**(bits - 1)]) for bits in (8, 16, 32, 64)},
    'float': (pa.float32(), [0.1, 1.5, -0.0, 3.4028234663852886e38, 1e-45, float('nan'), float('inf'), float('-inf'), 16777216.0]),
    'double': (pa.float64(), [0.1, 1.0, -0.0, 1.7976931348623157e308, 5e-324, float('nan'), float('inf'), float('-inf'), 2.0**53, 1e21, 1e-7]),
    'half': (pa.float16(), [0.5, 1.0, 65504.0, float('nan'), 6e-8]),
    'bool': (pa.bool_(), [True, False]),
    'string': (pa.string(), ['', 'plain', 'ü😀', '007', '1.10', 'null', 'a\nb', '\x00', '\ufeff', 'x' * 70000, '{"a":1}', 'true', '2024-01-01']),
    'large_string': (pa.large_string(), ['a', '', '😀']),
    'string_view': (pa.string_view(), ['short', 'longer than twelve bytes']),
    'binary': (pa.binary(), [b'', bytes(range(256)), b'text', b'\xff\xfe']),
    'large_binary': (pa.large_binary(), [b'\x00', b'']),
    'fixed_size_binary[3]': (pa.binary(3), [b'abc', b'\x00\xff\x27']),
    'decimal32(9, 2)': (pa.decimal32(9, 2), [D('9999999.99'), D('-0.01'), D('0.10')]),
    'decimal64(18, 18)': (pa.decimal64(18, 18), [D('0.999999999999999999'), D('-1e-18')]),
    'decimal128(38, 0)': (pa.decimal128(38, 0), [D('9' * 38), D('-' + '9' * 38), D(0)]),
    'decimal128(38, 38)': (pa.decimal128(38, 38), [D('0.' + '9' * 38), D('1e-38')]),
    'decimal128(15, 2)': (pa.decimal128(15, 2), [D('1234567890123.45'), D('1.50'), D('2.00')]),
    'decimal256(76, 10)': (pa.decimal256(76, 10), [D('9' * 66 + '.' + '9' * 10), D('-0.0000000001')]),
    'date32': (pa.date32(), [d.date(1, 1, 1), d.date(9999, 12, 31), d.date(1969, 12, 31), d.date(2024, 2, 29)]),
    'date64': (pa.date64(), [d.date(1900, 1, 1), d.date(2024, 2, 29)]),
    **{f'time32[{unit}]': (pa.time32(unit), [d.time(0), d.time(23, 59, 59)]) for unit in ('s', 'ms')},
    **{f'time64[{unit}]': (pa.time64(unit), [d.time(0), d.time(23, 59, 59, 999999)]) for unit in ('us', 'ns')},
    **{f'timestamp[{unit}{zone and ", " + zone}]': (pa.timestamp(unit, zone or None), [0, -1, 86399 * PER_SECOND[unit], 1709209545 * PER_SECOND[unit] + (7 if unit != 's' else 0)]) for unit in DIGITS for zone in ('', 'UTC', 'Europe/Berlin')},
    **{f'duration[{unit}]': (pa.duration(unit), [0, -5, 2**53 + 1]) for unit in DIGITS},
    'dictionary': (pa.dictionary(pa.int8(), pa.string()), ['a', 'b', 'a', '']),
    'dictionary of decimals': (pa.dictionary(pa.int32(), pa.int64()), [2**62, 1]),
    'null': (pa.null(), [None, None]),
    'list<int64>': (pa.list_(pa.int64()), [[], [1, None, 2**60], [None]]),
    'large_list<string>': (pa.large_list(pa.string()), [['a"', '\\', '\n', None], []]),
    'fixed_size_list<float>[2]': (pa.list_(pa.float32(), 2), [[0.1, 1.0], [float('nan'), None]]),
    'list<list<int8>>': (pa.list_(pa.list_(pa.int8())), [[[1], [], None], [], [[None, 2]]]),
    'struct': (pa.struct([('a', pa.decimal128(20, 2)), ('b "c"', pa.timestamp('us', 'UTC')), ('d', pa.bool_())]), [{'a': D('1.50'), 'b "c"': d.datetime(2024, 1, 1, tzinfo=utc), 'd': True}, {'a': None, 'b "c"': None, 'd': None}]),
    'struct<struct>': (pa.struct([('x', pa.struct([('y', pa.int64()), ('z', pa.list_(pa.string()))]))]), [{'x': {'y': 2**63 - 1, 'z': ['q', None]}}, {'x': None}, {'x': {'y': None, 'z': None}}]),
    'list<struct>': (pa.list_(pa.struct([('a', pa.int32()), ('b', pa.string())])), [[{'a': 1, 'b': 'x'}, None, {'a': None, 'b': None}], []]),
    'map<string, int64>': (pa.map_(pa.string(), pa.int64()), [[('a', 1), ('b"', None)], []]),
    'map<string, list<date32>>': (pa.map_(pa.string(), pa.list_(pa.date32())), [[('k', [d.date(2024, 1, 1), None])], [('e', [])]]),
    'list<binary>': (pa.list_(pa.binary()), [[b'\x00\xff', b'']]),
}
for name, (type, values) in TYPES.items():
    for kept in (True, False):
        if kept or pa.types.is_nested(type) or pa.types.is_timestamp(type): judge(f'{name}{"" if kept else ", without the schema of Arrow"}', column(type, values), store_schema=kept)
judge('uuid', pa.table({'v': pa.array([uuid.UUID(int=0).bytes, uuid.UUID(int=2**128 - 1).bytes, None], pa.uuid())}))

numbers = random.Random(1)
def many(count):
    words = ['alpha', 'alphabet', 'beta', '', 'ü', None]
    return pa.table({
        'i': pa.array([numbers.choice([at, -at, None, at * 10**12]) for at in range(count)], pa.int64()),
        'n': pa.array([at % 7 if at % 11 else None for at in range(count)], pa.int32()),
        'r': pa.array([numbers.random() if at % 5 else None for at in range(count)], pa.float64()),
        't': pa.array([numbers.choice(words) for _ in range(count)], pa.string()),
        'b': pa.array([bool(at % 3) for at in range(count)], pa.bool_()),
        'f': pa.array([numbers.randbytes(4) for _ in range(count)], pa.binary(4)),
        'l': pa.array([[at] * (at % 4) if at % 9 else None for at in range(count)], pa.list_(pa.int32())),
        's': pa.array([numbers.random() for _ in range(count)], pa.float32()),
    })
MANY = many(1200)
FLAT = MANY.select(['i', 'n', 'r', 't', 'b', 'f', 's'])

for version in ('1.0', '2.4', '2.6'):
    for page in ('1.0', '2.0'):
        for codec in ('none', 'snappy', 'gzip', 'brotli', 'zstd', 'lz4'):
            judge(f'version {version}, pages {page}, {codec}', MANY, version=version, data_page_version=page, compression=codec)
ENCODINGS = {
    'PLAIN': ['i', 'n', 'r', 't', 'b', 'f', 's'], 'DELTA_BINARY_PACKED': ['i', 'n'], 'DELTA_LENGTH_BYTE_ARRAY': ['t'], 'DELTA_BYTE_ARRAY': ['t', 'f'],
    'BYTE_STREAM_SPLIT': ['i', 'n', 'r', 'f', 's'], 'RLE': ['b'],
}
for encoding, names in ENCODINGS.items():
    for page in ('1.0', '2.0'):
        for codec in ('none', 'zstd'):
            judge(f'{encoding}, pages {page}, {codec}', FLAT, use_dictionary=False, column_encoding={name: encoding for name in names}, data_page_version=page, compression=codec)
for name, options in {
    'small pages': {'data_page_size': 64, 'write_batch_size': 10}, 'many row groups': {'row_group_size': 7}, 'small pages, version 2': {'data_page_size': 64, 'write_batch_size': 10, 'data_page_version': '2.0'},
    'a small dictionary': {'dictionary_pagesize_limit': 32}, 'no dictionary': {'use_dictionary': False}, 'an index of pages': {'write_page_index': True}, 'no statistics': {'write_statistics': False},
    'checksums': {'write_page_checksum': True}, 'lists as older programs name them': {'use_compliant_nested_type': False}, 'dictionary and delta': {'use_dictionary': ['t']},
}.items():
    judge(name, MANY, **options)
stamps = pa.table({'v': pa.array([0, -1, 1709209545123456789, None], pa.timestamp('ns'))})
judge('INT96', stamps, use_deprecated_int96_timestamps=True)
judge('no rows', MANY.slice(0, 0))
judge('only NULLs', pa.table({'a': pa.array([None] * 5, pa.int64()), 'b': pa.array([None] * 5, pa.string())}))
judge('odd names', pa.table({'a b': [1], 'ü': [2], 'select': [3], 'x"y': [4], '': [5], ' c ': [6]}))
judge('required columns', pa.table([pa.array([1, 2]), pa.array(['a', 'b'])], schema=pa.schema([pa.field('a', pa.int64(), False), pa.field('b', pa.string(), False)])))

say()
