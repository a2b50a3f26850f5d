"""The words of shops, in the languages that shops are written in: what a buy button says, what stock is called.

Each is one compiled pattern over lower-cased text. Patterns for class names match tokens such as `old-price`.
"""

import re

from arborist_pipeline.core.products.phrases import build_phrases

# ruff: noqa: RUF001 - words of many scripts and typographic quotes are what this module holds


BUY = build_phrases(
    r"add(?:ed)? (?:item |items |this )?(?:in)?to (?:my |your |the )?(?:shopping )?(?:cart|basket|bag|trolley|order)",
    r"add to (?:cart|basket|bag|trolley)|\badd (?:cart|basket)|\bbuy (?:it |this )?now|\bbuy\b|order now",
    r"\bpre-?order\b",
    r"in den (?:waren|einkaufs)korb|in die einkaufstasche|jetzt kaufen|zum warenkorb hinzu|auf die merkliste kaufen",
    r"ajouter (?:au|à mon) panier|acheter|aggiungi al carrello|metti nel carrello|acquista|compra (?:ora|subito)",
    r"(?:añadir|agregar) (?:a la|al) (?:carrito|cesta|carro)|comprar|adicionar ao carrinho|adicionar à cesta",
    r"(?:do|dodaj do) koszyka|kup teraz|do košíku|do košíka|vložit do|kúpiť|koupit|kosárba|megveszem",
    r"adaug[aă] în co[sș]",
    r"adauga in cos|în coș|in winkel(?:wagen|mand)|bestellen|läg?g (?:i|till i) (?:varukorg|kundvagn)|köp\b",
    r"læg i (?:kurv|indkøbskurv)|legg i handlekurv|kjøp|lisää (?:ostos)?koriin|osta\b|ostoskoriin",
    r"v košarico|u košaricu",
    r"sepete ekle|hemen al|в корзину|купить|до кошика|купити|добави в количка",
    r"장바구니|구매하기|바로구매|カートに(?:入|追加)",
    r"買い物かご|加入購物車|加入购物车",
    r"立即購買|立即购买|放入購物車|beli sekarang|tambah ke keranjang|thêm vào giỏ|mua ngay",
    r"אל הסל|أضف (?:إلى|الى)|اشتر|προσθήκη στο καλάθι",
)
FORM_NAMES = re.compile(
    r"add[\s_/-]?(?:to|item|cart|2cart)|(?:cart|basket|trolley|order|warenkorb|koszyk|kosik|panier|carrito|carrello)"
    r"[/_.?-]?(?:add|form|item)?|formorder|frmorder|buy|wg-order"
)
QUANTITY = re.compile(r"q(?:uan)?ty|quantity|anzahl|menge|ilosc|pocet|cantidad|aantal|antal|mnozstvi|kolicina|amount")
BUY_NAMES = re.compile(
    r"add[\s_-]?(?:item[\s_-]?)?to[\s_-]?(?:cart|basket|bag|trolley|order)|add[\s_-]?(?:cart|basket|bag)|addtoorder"
    r"|btn[\s_-]?(?:add[\s_-]?)?(?:cart|basket|buy)|buy[\s_-]?(?:now|button|btn|box)|product[\s_-]?form__submit"
    r"|single_add|(?:cart|basket)[/_-]?add|button[\s_-]cart|cart[\s_-]button|in[\s_-]?warenkorb"
)
NOT_BUY = build_phrases(
    r"sold[\s-]?out|out of stock|wish ?list|compare|gift ?card|buy (?:in store|online|tickets?|guide)",
    r"how to buy|best ?buy",
    r"notify|merkzettel|wunschliste|(?:view|go to|show|your|my) (?:cart|basket|bag)|where to buy|warenkorb anzeigen",
)
SOLD_OUT = build_phrases(
    r"nie je možné [\w ]{0,20}(?:kúpiť|objednať)|nelze (?:koupit|objednat)|can(?:not|'t) be (?:ordered|bought)|ended\.",
    r"out[\s-]of[\s-]stock|sold[\s-]?out|currently (?:unavailable|not available)",
    r"no longer (?:available|for sale|in stock)",
    r"temporarily unavailable|not (?:currently )?(?:in stock|available)|\bunavailable\b|has ended|out of print",
    r"ausverkauft",
    r"(?:derzeit |leider |momentan )?nicht (?:mehr )?(?:verfügbar|auf lager|lieferbar|vorrätig)|vergriffen",
    r"épuisé|rupture de stock|plus disponible|indisponible|actuellement indisponible|esaurito|non (?:è )?disponibile",
    r"asta è terminata|agotado|no disponible|sin stock|sin existencias|esgotado|indisponível|wyprzedan|niedostępn",
    r"brak (?:w magazynie|towaru)|vyprodán|vypredan|není skladem|nie je (?:na sklade|skladom)|nedostupn|elfogyott",
    r"nincs (?:készleten|raktáron)|stoc epuizat|nu este (?:în|in) stoc|indisponibil|uitverkocht",
    r"niet (?:op voorraad|leverbaar)",
    r"slutsåld|slut i lager|udsolgt|ikke på lager|utsolgt|loppu(?:nut|unmyyty)|ei varastossa|ni na zalogi",
    r"nema na (?:stanju|zalihi)",
    r"tükendi|stokta yok|нет в наличии|распродан|закончился|снят с производства|немає в наявності",
    r"품절|일시품절|在庫切れ|売り切れ",
    r"缺貨|缺货|售完|售罄|補貨中|habis\b|hết hàng|εξαντλήθηκε",
)
TELL_ME = build_phrases(
    r"(?:notify|e-?mail|alert|tell|text|remind) me|let me know|get notified",
    r"back in stock|join (?:the )?wait(?:ing)? ?list",
    r"benachrichtig|bescheid|m(?:'|’)alerter|me prévenir|être (?:alerté|prévenu)|avísame|avisadme|avise-me|avvisami",
    r"powiadom|hlídat|strážiť|stráž(?:it|iť)|értesít|anunță|meld mij|houd mij op|bevaka|giv mig besked|gi meg beskjed",
    r"ilmoita kun|gelince haber|сообщить|уведомить|повідомити|再入荷|재입고|到貨通知|到货通知",
)
IN_STOCK = build_phrases(
    r"\bin[\s-]stock\b|\bavailable\b|ready to ship|ships (?:today|within|in)|usually (?:ships|dispatched)",
    r"left in stock",
    r"only \d+ left|auf lager|sofort (?:lieferbar|verfügbar)|lieferbar|vorrätig|verfügbar|en stock",
    r"disponible|disponibile",
    r"disponibilità (?:immediata|:)|disponível|em estoque|dostępn|na stanie|w magazynie|skladem|na sklade",
    r"skladom|raktáron",
    r"készleten|în stoc|in stoc\b|op voorraad|leverbaar|i lager|finns i lager|på lager|varastossa",
    r"na zalogi|na stanju",
    r"na zalihi|stokta|в наличии|на складе|є в наявності",
    r"在庫あり|在庫が|有現貨|有货|現貨|tersedia|còn hàng|άμεσα διαθέσιμο",
)
PRE_ORDER = build_phrases(
    r"pre-?order|vorbestell|précommande|pre-?ordina|preordine|reserva anticipada|preventa|pré-venda|przedsprzeda",
    r"předobjedn|predobjedn|előrendel|precomand|förbeställ|forudbestil|предзаказ|予約|預購|coming soon",
)
BACK_ORDER = build_phrases(
    r"back-?order|on back order|nachbestell|available to order|made to order|auf bestellung|под заказ"
)
RELATED = build_phrases(
    r"\brelated\b|similar (?:products|items)|you (?:may|might|will|could)? ?(?:also )?(?:like|love|enjoy)",
    r"also (?:bought|viewed)",
    r"recommend|customers who|people who|shop the look|complete the (?:look|set|outfit)|pair (?:it )?with",
    r"goes (?:well )?with",
    r"frequently bought|bought together|recently viewed|more from|more like this|best ?sellers|trending",
    r"featured products",
    r"other (?:products|items)|sponsored|accessories|cross-?sell|up-?sell|new arrivals|top sellers|who viewed this",
    r"ähnliche|das könnte (?:ihnen|dir)|kunden (?:kauften|haben|, die)|zuletzt angesehen|passend dazu",
    r"zubehör|empfehlung",
    r"weitere (?:artikel|produkte)|wird oft zusammen|vous aimerez|produits (?:similaires|associés)",
    r"également|potrebbe",
    r"prodotti (?:correlati|simili|consigliati)|visti di recente|chi ha (?:acquistato|visto)",
    r"spesso comprati|productos relacionados",
    r"también (?:te|le)|produtos relacionados|podobne|polecan|klienci|ostatnio oglądane|súvisiac|souvisej",
    r"podobn|odporúčame",
    r"kapcsolódó|hasonló termék|produse (?:similare|recomandate)|clienții|gerelateerd",
    r"anderen (?:bekeken|kochten)|relaterade",
    r"liknande|du kanske|relaterede|lignende|suosit|muut ostivat|sorodni|podobni|benzer|с этим товаром",
    r"похожие|рекоменду",
    r"вы смотрели|함께 본|관련 ?상품|추천 ?상품|この商品を|おすすめ|最近チェック|相關商品|推薦|看了又看",
)
NOT_FOUND = build_phrases(
    r"page (?:you(?:'|’)?(?:re| are)? (?:looking for|requested) )?(?:was |is |could |can )?(?:not|n't) (?:be )?found",
    r"not found",
    r"\b404\b",
    *(rf"{thing} (?:does|doesn(?:'|’)?t|is) (?:not )?(?:exist|unavailable)" for thing in ("page", "product", "item")),
    r"couldn(?:'|’)?t find (?:that|the|this) page",
    r"nothing (?:to see )?here|no longer exists|seite (?:wurde )?nicht gefunden|page (?:est )?introuvable",
    r"pagina non trovata",
    r"página no encontrada|nie znaleziono strony|страница не найдена|pagina niet gevonden|sidan hittades inte",
    r"unavailable product|this product is unavailable|oops[,!.]|something went wrong",
)
BOT_WALL = build_phrases(
    r"robot or human|are you (?:a )?(?:human|robot)|verify (?:that )?you(?:'|’)?(?:re| are) (?:a )?(?:human|not a)",
    r"access (?:to this page has been )?denied|just a moment|attention required|pardon our interruption|captcha",
    r"checking your browser|unusual traffic|bot verification|security check|enable javascript and cookies",
    r"request (?:was )?blocked|please verify|automated access",
)
FREE = frozenset(
    "free|for free|gratis|kostenlos|umsonst|gratuit|gratuito|za darmo|zdarma|zadarmo|ingyenes|бесплатно|безкоштовно"
    "|無料|免費|무료".split("|")
)
CARD = re.compile(
    r"(?:^|[\s_-])(?:product|item|goods|listing|teaser|offer)?[\s_-]?(?:cards?|tiles?|thumb|thumbnail|pod|cell|teaser|grid[\s_-]?item|list[\s_-]?item|miniature)(?:$|[\s_-])"
)
CLASS_RELATED = re.compile(
    r"related|recommend|cross-?_?sell|up-?_?sell|also-?_?(?:bought|viewed|like)|similar|recently"
    r"|last-?_?viewed|bought-?_?together"
    r"|frequently|bundle|accessor|sponsor|suggest|carousel-?_?products?"
    r"|product-?_?(?:carousel|slider|recs)|you-?_?may|alternatives"
    r"|(?<![a-z])add-?_?ons?(?![a-z])|complementary|complete-?the|shop-?the-?look|certona|richrelevance|bestsell|top-?sell"
)
CLASS_CHROME = re.compile(
    r"(?:^|\s)(?:site-?|page-?|main-?|global-?|mobile-?|desktop-?|top-?|shop-?|l-|c-|js-|m-|o-)?"
    r"(?:header|footer|nav|navbar|navigation|menu|mega-?menu|topbar|mini-?cart|cart-?(?:summary|drawer|dropdown|preview)"
    r"|basket-?(?:summary|mini)|breadcrumbs?|cookies?|newsletter|modal|popup|overlay|login|search-?(?:bar|form|results?)"
    r"|filters?|facets?|toolbar|shopping-?cart|promo-?bar|announcement)(?:$|[\s_-])"
)
CLASS_PRODUCT = re.compile(r"pdp|product")
CLASS_REVIEW = re.compile(
    r"reviews?|ratings?|comments?|feedback|testimonial|bewertung|recensioni|question|answers?|qanda|faq"
)
OLD_PRICE = re.compile(
    r"original price|(?<![a-z])was(?![a-z])|regular price|list price|statt |uvp|rrp|msrp|instead of"
    r"|reg\. |retail|compare at"
    r"|prix conseillé|anziché|antes|zamiast|původně|вместо|市價|定價|原價"
)
CALLED_PRICE = re.compile(
    r"\b(?:sale|now|our price|price|preis|prezzo|prix|precio|cena|цена|pris|hinta)\b"
    r"|特價|特价|優惠價|售價|판매가|価格|价格"
)
CLASS_PRICE = build_phrases(
    r"price|preis|prix|precio|prezzo|preco|preço|cena(?![a-z])|pris(?![a-z])|hinta|(?<!p)ara(?![a-z])|arak(?![a-z])",
    r"amount|money|цена|prc|kaina|fiyat|pret(?![a-z])",
)
CLASS_OLD = re.compile(
    r"(?<![a-z])(?:old|was|rec)(?![a-z])|oldprice|before|regular|original|list[\s_-]?price"
    r"|price[\s_-]?list|rrp|msrp|uvp|strike"
    r"|compare|crossed|prior|previous|cross(?:ed)?-?out"
    r"|retail|statt|stara|discounted-?from|full[\s_-]?price|base[\s_-]?price|rec(?:ommended)?[\s_-]?price"
    r"|non-?sale|-off(?![a-z])|line-?through|ancien|vorher|barre|standard"
)
CLASS_NOW = re.compile(
    r"sale|special|current|now|final|our|actual|sell|offer|new|main|buy|active|aktuell|promo"
    r"|price[\s_-]?value|today|discount(?:ed)?[\s_-]?price|highlight|big|primary"
)
CLASS_ASIDE = re.compile(
    r"sav(?:e|ing)|discount(?!ed|-?_?price)|shipping|deliver|versand|instal|financ|month|rate(?![a-z])"
    r"|per-?unit|unit-?price|unitprice|base-?price|grund"
    r"|points|reward|member|tax|vat|excl|netto|bonus|gift|coupon|voucher|warranty|insur|protection"
    r"|deposit|trade-?in|credit|tier|from-?other|marketplace|used|cart|freight|shipp|hidden|klarna"
    r"|afterpay|affirm|paypal|loyal"
)
CLASS_NAME = re.compile(
    r"(?:product|prod|item|goods|pdp|article)[\s_-]{0,2}(?:main[\s_-])?(?:name|title|heading)(?![a-z])"
)
CLASS_STOCK = build_phrases(
    r"stock|avail|verfueg|verfüg|lager|dispo|dostup|sklad|inventory|налич|delivery-?status|deliverability|bestand"
)
