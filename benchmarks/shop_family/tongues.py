"""What a shop says in its own language, but for names and prose: labels, the names of its desks and of its help."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """The labels of one language; `{name}` and `{amount}` stand for what they are about."""

    code: str
    money: str
    has_comma: bool
    home: str
    brands: str
    stories: str
    welcome: str
    best_sellers: str
    our_brands: str
    newest_stories: str
    shop_for: str
    view_all: str
    page: str
    after: str
    colour: str
    order_by: str
    in_stock: str
    article_number: str
    add_to_cart: str
    related: str
    save: str
    compare: str
    tell_a_friend: str
    sign_in: str
    mentioned: str
    read_next: str
    taxes: str
    desks: tuple[str, ...]
    information: tuple[str, ...]

    def amount(self, price: Decimal) -> str:
        """Return a price as this shop writes it."""
        digits = f"{price:.2f}"
        return self.money.format(amount=digits.replace(".", ",") if self.has_comma else digits)


ENGLISH = Tongue(
    code="en", money="£{amount}", has_comma=False, home="Home", brands="Brands", stories="Stories", welcome="Welcome",
    best_sellers="Best sellers", our_brands="Our brands", newest_stories="From our stories", shop_for="Shop {name}",
    view_all="View all {name}", page="page", after="Next", colour="Colour", order_by="By {name}", in_stock="In stock",
    article_number="Article number", add_to_cart="Add to cart", related="You may also like", save="Save",
    compare="Compare", tell_a_friend="Tell a friend", sign_in="Sign in", mentioned="Mentioned in this story:",
    read_next="Read next", taxes="Prices include tax.",
    desks=("Cart", "Account", "Login", "Wishlist", "Checkout", "Search"),
    information=(
        "Delivery", "Returns", "About us", "Contact", "Careers", "Terms of service", "Privacy notice", "Cookie notice",
        "Size guide", "Care guide", "Trade accounts", "Find a store", "Gift wrapping", "Sustainability", "Press",
        "Payment methods", "Track an order", "Accessibility", "Newsletter", "Student discount", "Recycling", "Warranty",
        "Our makers", "Questions",
    ),
)  # fmt: skip
GERMAN = Tongue(
    code="de", money="{amount} €", has_comma=True, home="Startseite", brands="Marken", stories="Magazin",
    welcome="Willkommen", best_sellers="Beliebt", our_brands="Unsere Marken", newest_stories="Aus dem Magazin",
    shop_for="{name} entdecken", view_all="Alle {name} ansehen", page="Seite", after="Weiter", colour="Farbe",
    order_by="Nach {name}", in_stock="Auf Lager", article_number="Artikelnummer", add_to_cart="In den Warenkorb",
    related="Das passt dazu", save="Merken", compare="Vergleichen", tell_a_friend="Weitersagen", sign_in="Anmelden",
    mentioned="In diesem Beitrag:", read_next="Weiterlesen", taxes="Preise inkl. MwSt.",
    desks=("Warenkorb", "Konto", "Anmelden", "Merkliste", "Kasse", "Suche"),
    information=(
        "Versand", "Widerruf", "Wir", "Kontakt", "Stellen", "AGB", "Datenschutz", "Cookies", "Masse", "Pflege",
        "Geschaeftskunden", "Filialen", "Geschenke verpacken", "Nachhaltigkeit", "Presse", "Zahlungsarten",
        "Sendung verfolgen", "Barrierefreiheit", "Rundbrief", "Studentenrabatt", "Entsorgung", "Garantie",
        "Unsere Werkstaetten", "Fragen",
    ),
)  # fmt: skip
FRENCH = Tongue(
    code="fr", money="{amount} €", has_comma=True, home="Accueil", brands="Marques", stories="Carnet",
    welcome="Bienvenue", best_sellers="Les plus vendus", our_brands="Nos marques", newest_stories="Dans le carnet",
    shop_for="Voir {name}", view_all="Tout voir : {name}", page="page", after="Suivant", colour="Couleur",
    order_by="Par {name}", in_stock="En stock", article_number="Référence", add_to_cart="Ajouter au panier",
    related="Vous aimerez aussi", save="Garder", compare="Comparer", tell_a_friend="En parler", sign_in="Se connecter",
    mentioned="Dans cet article :", read_next="À lire aussi", taxes="Prix TTC.",
    desks=("Panier", "Compte", "Connexion", "Envies", "Commande", "Recherche"),
    information=(
        "Livraison", "Retours", "Qui sommes nous", "Contact", "Emplois", "Conditions", "Vie privee", "Cookies",
        "Tailles", "Entretien", "Professionnels", "Magasins", "Paquets cadeaux", "Environnement", "Presse", "Paiement",
        "Suivre un envoi", "Accessibilite", "Lettre", "Etudiants", "Recyclage", "Garantie", "Nos ateliers", "Questions",
    ),
)  # fmt: skip
CURRENCIES = {"£": "GBP", "€": "EUR"}
TONGUES = (ENGLISH, ENGLISH, GERMAN, FRENCH)
"""As often as each stands here a shop speaks it."""


def currency_of(tongue: Tongue) -> str:
    """Return the code of the currency that a shop asks for (ISO 4217)."""
    return next(code for sign, code in CURRENCIES.items() if sign in tongue.money)
