"""Paragraphs for the pages: sentences with gaps, and the words that fill them. No two pages get one paragraph."""

from collections.abc import Mapping

from examples.demo_shop.dice import Dice

_WORDS: Mapping[str, tuple[str, ...]] = {
    "town": ("Arnbeck", "Coldwick", "Lower Thrane", "Port Ellan", "Saltmere", "Wharram", "Kirkfold", "Ostrey",
             "Millgarth", "Hollow Bay", "Stanwick Moor", "Tarn End"),
    "person": ("Agnes", "Bertram", "Cecily", "Dougal", "Edith", "Fergus", "Greta", "Hamish", "Ivy", "Jonas", "Kirsty",
               "Lorcan", "Mabel", "Ned", "Orla", "Piers"),
    "years": ("six", "nine", "eleven", "fourteen", "seventeen", "twenty", "twenty-three", "thirty", "forty"),
    "season": ("spring", "early summer", "late summer", "autumn", "haymaking", "midwinter", "lambing time"),
    "weather": ("drizzle", "a stiff easterly", "thin sunshine", "sleet", "a heavy dew", "fog off the harbour"),
    "place": ("the back step", "a crowded shelf", "the boot of the car", "a cold scullery", "the allotment shed",
              "a window seat", "the kitchen table", "a rented room", "the end of the jetty", "a narrow hallway"),
    "tool": ("a bench plane", "a hand press", "a bow saw", "a treadle lathe", "a bone folder", "a card scraper",
             "a small kiln", "a wooden mallet", "a curved needle"),
    "finish": ("beeswax", "linseed oil", "a thin shellac", "three coats of milk paint", "nothing but soap",
               "a warm waxed cloth", "tung oil"),
    "flaw": ("a knot in the grain", "one uneven edge", "a slight change of tone", "a faint ring from the wheel",
             "a stitch out of line", "a mark left by the mould"),
    "drink": ("strong tea", "cocoa", "elderflower cordial", "milky coffee", "hot blackcurrant", "a small whisky"),
    "animal": ("the dog", "a neighbour's cat", "two geese", "a passing robin", "the goat", "our oldest hen"),
    "thing": ("the key to the shed", "a ball of twine", "last year's seed list", "an unposted letter",
              "three odd buttons", "the good scissors", "a spare fuse", "half a candle"),
    "quality": ("plain", "sturdy", "quiet", "well balanced", "honest", "unhurried", "handsome", "forgiving"),
    "day": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "count": ("a dozen", "twenty or so", "fifty", "eighty", "about a hundred", "barely thirty", "two hundred"),
}  # fmt: skip

GOODS = (
    "The {thing_name} was drawn up by {person} in {town} after {years} years of mending other people's.",
    "It is {quality} in the hand and {quality2} on the eye, and it asks for very little.",
    "We left one on {place} through {season} and found it none the worse for {weather}.",
    "Each piece is worked with {tool} and finished with {finish} before it leaves {town}.",
    "You may find {flaw}; we count that as a signature and not as a fault.",
    "The {thing_name} keeps company with {drink}, {thing}, and whatever else lives on {place}.",
    "{person} tests every batch in {weather} and sends back {count} a year that are merely good.",
    "{material_name} work was chosen because it ages slowly, and because {animal} cannot hurt it.",
    "Wipe it with a damp cloth, dry it at once, and give it {finish} when {season} comes round.",
    "There is room in the design for {thing}, though nobody in {town} will admit to planning that.",
    "It was made for {place}, but customers in {town} write that it does as well on {place2}.",
    "If it fails within {years} years, bring it to the counter any {day} and {person} will put it right.",
    "The first {count} were sold at the {season} fair in {town}, most of them before {drink} was served.",
    "The makers are {count} strong, work beside the water at {town}, and close when {weather} sets in.",
    "A smaller firm would have hidden {flaw}; {person} prefers to leave it where you can see it.",
    "We weighed it against {count} others and kept this one for being {quality} and easily repaired.",
    "Parts can be had from us one at a time, which is how {person} has kept the same one for {years} years.",
    "{animal_cap} took an interest during the photographs and had to be given {drink} in a saucer.",
    "Pack it dry, away from {thing}, and it will come out in {season} as you left it.",
    "It owes its shape to {tool} and its patience to {person}, who made {count} before letting one go.",
)

SHELVES = (
    "We keep {count} things under {title}, and every one has spent a {day} with {person} before it went on the shelf.",
    "Most of it comes from {town} and the villages round it, where {tool} is still an ordinary thing to own.",
    "Choose something {quality} for daily use and something {quality2} for {season}, and you will not need a third.",
    "When {weather} keeps people in, this is the shelf that empties first, usually by {day}.",
    "{person} writes the labels by hand, and apologises for {flaw} wherever one is to be found.",
    "Nothing here needs a manual; if it needs {finish} once a year we say so on the page.",
    "We leave out whatever would not survive {place}, {animal}, or {years} years of use.",
    "Ask at the counter in {town} and {person} will show you how to tell {quality} work from work that only looks it.",
    "Stock turns with the year: more arrives with {season}, and the last of it goes out with {thing} as packing.",
    "The range began with {count} pieces on {place} and has been kept small on purpose ever since.",
    "If you are buying for somebody else, pick what is {quality}, add {drink}, and keep the receipt.",
    "Prices stay where they are until {season}; {person} dislikes changing the chalk board more often than that.",
    "Returned pieces are mended with {tool} and sold from {place}, so nothing on this page has been used before.",
    "What unites {title} is hard to say, but {person} has been saying it every {day} for {years} years.",
    "Several makers here share one workshop in {town}, one kettle, and {animal}.",
    "The photographs were taken in {weather}, so colours may be a little warmer than they look.",
)

JOURNAL = (
    "On {day} we drove to {town} in {weather} to see what {person} had been doing with {tool}.",
    "The answer, as so often, was to do less: one joint, one coat of {finish}, and then {drink}.",
    "{person} learned the trade at {town} and has not bought a new one of anything for {years} years.",
    "What looks like {flaw} turned out to be the reason that the rest holds together.",
    "We asked {count} customers what they keep on {place}, and more than half of them said {thing}.",
    "There is a habit in {town} of finishing work by {season}, and few see a reason to hurry it.",
    "If you try this at home, begin with something {quality}, and keep {animal} out of the room.",
    "{animal_cap} slept through the whole demonstration, which {person} took for praise.",
    "By the second {day} the bench was clear, the floor swept, and {thing} had been found at last.",
    "Old hands say that {weather} is good for the material; {person} says it is good for excuses.",
    "We came home with {count} samples, a page of notes, and a stain that only {finish} will cover.",
    "None of this is new: the ledgers in {town} describe the same steps, down to {drink} at four.",
    "A {quality} tool teaches you more in {season} than a clever one will in {years} years.",
    "The trick is to stop early, put it on {place} overnight, and look again with {drink} in hand.",
    "In the end {person} kept the first attempt and gave away the {count} that followed.",
    "Mending it took an hour with {tool}, most of it spent looking for {thing}.",
    "People write to ask whether {finish} is worth the trouble, and the shelf in {town} is our reply.",
    "When {season} came the colour had settled, and what had seemed loud was merely {quality}.",
    "We left the pieces on {place} for a month, turned them each {day}, and wrote down what changed.",
    "Somebody always asks about {weather}, so here it is: yes, and it dried by {day}.",
    "The workshop holds {count} people if nobody sits, and one visitor if {animal} is at home.",
    "{person} still signs the underside, where only {animal} and the occasional burglar will read it.",
)

HOUSE = (
    "Our counter in {town} is kept by {person}, who has answered the same question for {years} years with good grace.",
    "If something is not right, write to us by {day} and we will settle it before the week is out.",
    "We answer letters in the order they come, except in {season}, when we answer the shortest first.",
    "Nothing is sent on a {day}, because the carrier at {town} does not collect in {weather}.",
    "Parcels are packed with paper, string and, where it helps, {thing}; please use all three again.",
    "{person} reads every complaint aloud over {drink}, and most of them have led to something being changed.",
    "We keep no more about you than a name, an address, and a note of whether {animal} bites.",
    "A thing may come back within {years} weeks if it has not been to {place} in the meantime.",
    "The workshop mends what it sold, with {tool} and {finish}, for as long as there are hands to do it.",
    "Visitors are welcome on any {day}; there is a bench, {drink}, and a view of the weather.",
    "What we promise is {quality} work at the price on the page, and no surprises at the end.",
    "Should a maker let us down, we say so on the page, and {person} goes to {town} to ask why.",
    "We would sooner lose a sale than describe {flaw} as charm when it is nothing of the kind.",
    "There are {count} of us in the busy months and {count2} in the quiet ones.",
    "Accounts are made up every {season} and may be read by anyone who asks at {place}.",
    "In the matter of {weather} we can promise nothing, but we can send it again.",
    "The oldest rule of the house is to be {quality}; the second is to be back by {day}.",
    "{person} keeps the list of things we will not sell, and it is longer than the list of things we do.",
)


class _Gaps:
    """Fills a gap with a given word, else with a word that the dice choose for this sentence."""

    def __init__(self, dice: Dice, question: str, given: Mapping[str, str]) -> None:
        self._dice, self._question, self._given = dice, question, given

    def __getitem__(self, gap: str) -> str:
        if gap in self._given:
            return self._given[gap]
        if gap.endswith("_cap"):
            word = self[gap.removesuffix("_cap")]
            return word[0].upper() + word[1:]
        name = gap.removesuffix("2")  # {town2} is another town than {town}
        words = _WORDS[name]
        return words[(self._dice.roll(f"{self._question}/{name}") + (name != gap)) % len(words)]


def paragraphs(
    dice: Dice, question: str, bank: tuple[str, ...], count: int, *, sentences: int = 3, **given: str
) -> tuple[str, ...]:
    """Return `count` paragraphs of different sentences of a bank; the question makes them this page's own."""
    chosen = dice.sample(question, bank, count * sentences)
    filled = [sentence.format_map(_Gaps(dice, f"{question}/{number}", given)) for number, sentence in enumerate(chosen)]
    return tuple(" ".join(filled[start : start + sentences]) for start in range(0, len(filled), sentences))
