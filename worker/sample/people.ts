// Names and places of the sample's customers, by country and in their own script.

export interface Country {
  readonly code: string;
  readonly given: readonly string[];
  readonly family: readonly string[];
  readonly cities: readonly string[];
  /** How many of a hundred customers live there. */
  readonly share: number;
}

const words = (text: string): readonly string[] => text.split(' ');

export const COUNTRIES: readonly Country[] = [
  {
    code: 'DE',
    share: 24,
    given: words('Anna Jörg Käthe Lukas Miriam Jürgen Sophie Björn Clara Emil Änne Matthias'),
    family: words('Müller Schäfer Weiß Krüger Vogel Böhm Hartmann Groß Lindner Köhler'),
    cities: words('Berlin München Köln Leipzig Würzburg Görlitz'),
  },
  {
    code: 'NO',
    share: 11,
    given: words('Ingrid Håkon Sølvi Magnus Åse Eirik Liv Øyvind'),
    family: words('Hansen Bjørnstad Ødegård Lie Sæther Haugland'),
    cities: words('Oslo Tromsø Bergen Bodø Ålesund'),
  },
  {
    code: 'FR',
    share: 10,
    given: words('Élodie François Zoé Gaël Chloé Benoît Maïté Loïc'),
    family: words('Lefèvre Dubois Besançon Moreau Gauthier Noël'),
    cities: words('Paris Chamonix Orléans Besançon Nîmes'),
  },
  {
    code: 'GB',
    share: 12,
    given: words('Oliver Amelia Rhys Siân Callum Isla Niamh George'),
    family: words("Smith O'Brien Llewellyn MacLeod Ashworth Fairclough D'Arcy"),
    cities: words('London Edinburgh Keswick Bangor Inverness'),
  },
  {
    code: 'PL',
    share: 8,
    given: words('Łukasz Małgorzata Paweł Zofia Żaneta Michał'),
    family: words('Wiśniewska Wójcik Dąbrowski Błaszczyk Śliwa'),
    cities: words('Kraków Łódź Zakopane Gdańsk'),
  },
  {
    code: 'TR',
    share: 5,
    given: words('Ayşe Çağlar Gül İbrahim Işıl Ömer'),
    family: words('Yılmaz Öztürk Şahin Çelik Aydın'),
    cities: words('İstanbul İzmir Eskişehir'),
  },
  {
    code: 'GR',
    share: 4,
    given: words('Ελένη Νίκος Δήμητρα Γιώργος'),
    family: words('Παπαδόπουλος Νικολαΐδης Ιωάννου'),
    cities: words('Αθήνα Θεσσαλονίκη Ιωάννινα'),
  },
  {
    code: 'BG',
    share: 4,
    given: words('Иван Елена Борис Цветелина'),
    family: words('Петров Димитрова Стоянов'),
    cities: words('София Банско Пловдив'),
  },
  {
    code: 'JP',
    share: 8,
    given: words('美咲 蓮 陽葵 大翔 さくら 健'),
    family: words('佐藤 鈴木 高橋 渡辺 山本'),
    cities: words('東京 札幌 松本 京都'),
  },
  {
    code: 'CN',
    share: 5,
    given: words('伟 芳 秀英 娜 静'),
    family: words('王 李 张 刘 陈'),
    cities: words('北京 成都 昆明'),
  },
  {
    code: 'KR',
    share: 3,
    given: words('지우 서연 민준 하은'),
    family: words('김 이 박 최'),
    cities: words('서울 부산 속초'),
  },
  {
    code: 'EG',
    share: 2,
    given: words('محمد فاطمة يوسف ليلى'),
    family: words('حسن إبراهيم السيد'),
    cities: words('القاهرة أسوان'),
  },
  {
    code: 'IL',
    share: 2,
    given: words('נועה יוסף תמר איתן'),
    family: words('כהן לוי מזרחי'),
    cities: words('חיפה ירושלים'),
  },
  {
    code: 'IN',
    share: 2,
    given: words('आरव प्रिया रोहन अनन्या'),
    family: words('शर्मा सिंह पटेल'),
    cities: words('दिल्ली पुणे'),
  },
];
