// Words that sample rows are made of, written for this purpose. Addresses and numbers are those reserved for examples.

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const lines = (text: string): readonly string[] =>
  text
    .trim()
    .split(',')
    .map((line) => line.trim());

export const GIVEN_NAMES = words(`
  Ada Adam Agnes Alba Alice Amir Anna Anton Aria Arthur Astrid Aylin Beatrice Ben Björn Boris Camille Carla Carlos Chloé Clara Daniel
  David Diego Dora Edith Elena Elias Emil Emma Erik Esther Eva Fatima Felix Filip Finn Freya Gabriel George Grace Greta Hana Hannah
  Henry Hugo Ida Ines Ingrid Isaac Ivan Jakob Jana Jasper João Johanna José Julia Kai Karim Katja Klara Lars Laura Lea Leon Lena Liam
  Lina Lucas Lucía Magnus Maja Marco Maria Marta Matteo Maya Mei Mila Mohamed Nadia Nina Noah Nora Olga Oliver Omar Oscar Paula Pedro
  Petra Priya Quentin Rosa Ruben Samir Sara Selma Sofia Søren Tara Theo Tomas Uma Vera Viktor Walter Wei Yara Yusuf Zoe Zofia`);

export const FAMILY_NAMES = words(`
  Abbott Adler Almeida Andersen Baker Barros Bauer Becker Berg Bianchi Blanc Böhm Carter Castro Chen Clarke Costa Cruz Dahl Dubois
  Eriksen Evans Fischer Fontaine Ford Franco Garcia Gomez Graf Gray Green Hansen Harris Haas Hoffmann Holm Hughes Ivanov Jensen
  Johansson Jones Kaya Keller Kim King Klein Koch Kowalski Kumar Lambert Lang Larsen Lee Leroy Lind Lopez Lund Marino Martin Meyer
  Miller Moreau Morel Moretti Müller Murphy Nagy Nielsen Novak Nowak Olsen Ortiz Park Patel Pereira Petit Popov Ramos Reed Ricci Roy
  Rossi Roux Russo Sato Schmidt Silva Singh Smith Sokolov Stein Suzuki Tanaka Thomas Torres Vega Vogel Wagner Walker Wang Weber White
  Wilson Wolf Wood Wright Yilmaz Young Zhang Ziegler`);

export const WORDS = words(`
  able acorn after amber anchor apple april arch arrow ash autumn bank barley basin bay beach bell berry birch bird blue board boat
  book branch brass bread breeze brick bridge bright brook brown brush calm camp candle canvas cape card castle cedar chain chair chalk
  change chart city clay clear cliff clock cloud clover coal coast cobalt coin cold copper coral cork corner cotton country cover crane
  creek crown crystal curtain daisy dawn day deep deer delta desert dock door dove dream drift dune dust early earth east easy echo edge
  elm ember empty equal even evening fair falcon fall far farm feather fern field fig fine fire first fish flag flame flax fleet flint
  floor flower fog folk forest fork fox free fresh frost fruit full garden gate gentle ginger glass globe gold good grain grand granite
  grape grass gravel great green grove half hand harbor hare harvest haven hawk hazel heart heather hedge high hill holly home honey
  horn horse house ice indigo ink inland iris iron island ivory ivy jade jar jasmine journey juniper kettle key kind kite knot lake lamp
  land lane lantern large lark last late laurel lavender leaf lemon level light lily lime linen lion little local lock long loop lotus
  low lucky lunar lynx mango map maple marble march market marsh meadow melon merry mild mill mint mirror mist model moon morning moss
  mountain narrow near nest new night noble noon north note nut oak oasis ocean oil old olive onyx open orange orchard otter oval owl
  paper park part path peach pearl pebble pepper pilot pine place plain plum pocket point pond poppy port prairie prime pure quail
  quarry quartz quick quiet rain raven ready red reed ridge ring ripe river road robin rock roof room root rope rose round row ruby sage
  sail salt sand sea season second seed shade shadow shell shore short silent silk silver simple sky slate slow small smooth snow soft
  soil south spark spice spring spruce square star steady steel stone storm straw stream street strong summer sun swan sweet table tall
  tea thyme tide tiger timber time token top torch tower town trail tree true tulip under upper vale valley velvet view village vine
  violet walnut warm water wave west wheat whole wide wild willow wind window winter wise wolf wood wool yard year yellow young zephyr`);

export const CITIES = lines(`
  Aarhus, Accra, Amsterdam, Ankara, Athens, Austin, Bangkok, Barcelona, Basel, Berlin, Bogotá, Boston, Bratislava, Bristol, Brno, Brussels,
  Bucharest, Budapest, Cairo, Calgary, Cape Town, Chicago, Cologne, Copenhagen, Cork, Dakar, Delhi, Denver, Dublin, Edinburgh, Florence, Gdańsk,
  Geneva, Genoa, Ghent, Glasgow, Graz, Hamburg, Hanoi, Helsinki, Istanbul, Jakarta, Kraków, Kyoto, Lagos, Leeds, Leipzig, Lima, Lisbon, London,
  Lyon, Madrid, Malmö, Manila, Marseille, Melbourne, Milan, Montreal, Mumbai, Munich, Nairobi, Nantes, Naples, Osaka, Oslo, Ottawa, Paris,
  Perth, Porto, Portland, Prague, Quito, Reykjavík, Riga, Rome, Rotterdam, Salzburg, San Diego, Santiago, São Paulo, Seattle, Seoul, Seville,
  Singapore, Sofia, Stockholm, Sydney, Tallinn, Tokyo, Toronto, Toulouse, Tunis, Turin, Utrecht, Valencia, Vancouver, Vienna, Vilnius, Warsaw,
  Wellington, York, Zagreb, Zurich`);

/** Codes and names in pairs. */
export const COUNTRIES = lines(`
  AR Argentina, AT Austria, AU Australia, BE Belgium, BG Bulgaria, BR Brazil, CA Canada, CH Switzerland, CL Chile, CN China, CO Colombia,
  CZ Czechia, DE Germany, DK Denmark, EE Estonia, EG Egypt, ES Spain, FI Finland, FR France, GB United Kingdom, GH Ghana, GR Greece, HR Croatia,
  HU Hungary, ID Indonesia, IE Ireland, IN India, IS Iceland, IT Italy, JP Japan, KE Kenya, KR South Korea, LT Lithuania, LV Latvia, MA Morocco,
  MX Mexico, MY Malaysia, NG Nigeria, NL Netherlands, NO Norway, NZ New Zealand, PE Peru, PH Philippines, PL Poland, PT Portugal, RO Romania,
  SE Sweden, SG Singapore, SI Slovenia, SK Slovakia, TH Thailand, TN Tunisia, TR Türkiye, UA Ukraine, US United States, UY Uruguay, VN Vietnam,
  ZA South Africa`).map((line) => [line.slice(0, 2), line.slice(3)] as const);

export const STREETS = words(`
  Acorn Ash Beech Birch Bridge Brook Castle Cedar Chapel Church Cliff Copper Elm Field Forest Garden Grove Harbor Hazel High Hill Lake
  Linden Main Maple Market Meadow Mill North Oak Orchard Park Pine River School South Spring Station Stone Summer Sunset Valley Walnut
  Water West Willow`);
export const STREET_KINDS = words('Street Road Avenue Lane Way Place Square');

export const COMPANY_KINDS = lines('Ltd, Inc, GmbH, AG, SA, & Co, Group, Works, Labs, Partners');
export const JOBS = lines(`
  accountant, actor, analyst, architect, baker, biologist, carpenter, chemist, clerk, cook, designer, developer, doctor, driver, editor,
  electrician, engineer, farmer, gardener, geologist, historian, journalist, judge, lawyer, librarian, mechanic, musician, nurse, painter,
  pharmacist, photographer, pilot, plumber, professor, secretary, shop assistant, surveyor, tailor, teacher, technician, translator, vet,
  watchmaker, writer`);
export const COLORS = words(
  'amber black blue brown coral cyan gold gray green indigo ivory lime magenta maroon navy olive orange pink purple red silver teal violet white yellow',
);
export const CURRENCIES = words('AUD BRL CAD CHF CNY CZK DKK EUR GBP HUF INR JPY KRW MXN NOK NZD PLN SEK TRY USD ZAR');
export const LANGUAGES = words(
  'ar bg cs da de el en es et fi fr he hi hr hu id is it ja ko lt lv nl no pl pt ro ru sk sl sv th tr uk vi zh',
);
export const FILE_ENDINGS = words('txt pdf png jpg csv json md zip html svg mp3 docx');

/** Reserved for examples (RFC 2606). */
export const HOSTS = words('mail.example post.example web.example example.com example.org example.net');
