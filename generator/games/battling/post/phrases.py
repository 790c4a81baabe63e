"""Patterns for the words around orders and replies that determine the meaning of a post.

As its name says, each pattern is matched directly after a position in a line, or searched before the position.
"""

from __future__ import annotations

import re

from generator.games.battling.post.entries import Announcement

# Words that talk about an order instead of giving it.

ABOUT_AFTER = re.compile(
    r"[\s」』\")]*(?:でしょ(?!う?か)|だろ|なんて|なんか|でし?たよ?ね|だったよね|でしたっけ|は(?!ず)|の(?!まま|こと?で|方?です|方?で)|って|が(?!ん)|への|に対|に?ついて"
    r"|を(?:受|食|くら|喰|見|避|避け|かわ|読)|(?:し?て|で)(?:き|来)(?:たら|そう|ても|ます)|しそう|だと|とは|とか|かな|なら|だったら|も(?!う)|か(?!ら)|と(?:迷|か|書き?[かこ]|言|い[いう]|の)"
    r"|は?(?:です|でいい(?:です)?|でよい(?:です)?|ok)?(?:か|の)*\?|は?で(?:す|(?:いい|よい)(?:です)?)の?か(?:な|ね)?(?=[\s。、.!?…]|$)|に(?:して(?:おけ|いれ|たら)|すれ|した(?:ら|ほう|方|い)|しよう|するか)"
    r"|(?:was|were|is|would|did|had|could|might|or|again\?)\b|,?\s*(?:really|right|huh|seriously|eh|correct|again)?\s*\?)",
    re.IGNORECASE,
)
RESULT_AFTER = re.compile(r"\s*(?:hits?|miss(?:es|ed)?)\b", re.IGNORECASE)
ABOUT_BEFORE = re.compile(
    r"(?:\b(?:watch\s+out\s+for|(?:you're|you\s+are)\s+(?:not\s+)?going\s+to|beware(?:\s+of)?|afraid\s+of|fear(?:ing|ed)?|(?:changed|switched)\s+from|your|his|her|their|the|(?<!make\s)that|enemy's|opponent's|if|said|writes?|wrote|about|after|such\s+as|e\.?g\.?"
    r"|examples?|or|than|you|he|she|they|(?:you|he|she|they)(?:'ll|'d|\s+(?:will|can|may|did|do))|(?:do|does|did|wo|ca)n't|cannot|not|no|never|(?<!'d\s)(?<!would\s)like|(?:reply|replies|response|answer|due|thanks)\s+to|re\s*:|results?\s+of"
    r"|vs\.?|versus|against|(?:almost|nearly)\s+\w+(?:\s+(?:for|on|with))?|tempted\s+(?:by|to)(?:\s+\w+)?"
    r"|(?:(?:consider|contemplat|discard|dismiss|reject)(?:ed|s|ing)?|skip(?:ped|s|ping)?):?|(?:decid(?:e|ed|ing)\s+|am\s+|was\s+)against|ruled\s+out"
    r"|thought\s+(?:about|of)|(?:you|he|she|they)\s+(?:went|played|did|wrote|posted|used|made|took|tried|had|chose|gave)(?:\s+for)?|(?:^|[.!?])\s*(?:is|was|does|did|can|could|would|will|how\s+about|what\s+about))|(?:あなた|そちら|そっち|相手|敵|君|前|前回|前々回|さっき|先ほど|先程|例|あの時|あのとき|最初|昨日)の|(?:この)?前[もはに]|以前[もは、]|昔[、は]"
    r"|例えば|たとえば|例:)\s*[「『\"(]?\s*$",
    re.IGNORECASE,
)
PAST_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:examples?|instance|expect|guess|hope)(?![A-Za-z])|(?<![一-鿿])例(?![一-鿿])|前回|前のターン|さっき|先ほど|先程|あのとき|あの時|昨日|先週|先月|昨年|去年|この間|こないだ"
    r"|(?<![A-Za-z])(?:last\s+(?:turn|time|game|week|month|year|night|match)|yesterday|remember)",
    re.IGNORECASE,
)
PAST_AFTER = re.compile(r"\s*(?:missed|hit|was|でし?た|だった|は?(?:外れ|はずれ)|[がはも]?当た)", re.IGNORECASE)
"""Words after an order of an earlier turn if words before it speak of the past."""
ASKS_BEFORE = re.compile(
    r"\W*(?:(?:so|hm+|and|but|ok(?:ay)?|wait|also|oh)[\s,.…]+)*"
    r"(?:can|could|may|might|is|are|was|were|does|do|did|would|should|shall|will)(?![A-Za-z'])",
    re.IGNORECASE,
)
"""The beginning of a sentence that asks whether an order is possible, if the sentence ends with a question mark."""
ASKS_AFTER = re.compile(
    r"(?:(?!お願い|頼み)[^、,。!?]){0,12}(?:ます|です|でしょう)(?:か|よね)(?:な|ね)?\s*(?:[?。]|$)"
    r"|\s*、\s*(?:撃て|届き|当たり|行け|でき|見え|通り)ます(?:か|よね)(?:な|ね)?\s*(?:[?。]|$)"
)
"""Words after an order that ask whether it is possible, as in `R / 3 / 0909まで行けますか`."""
OTHERS_ORDER_BEFORE = re.compile(
    r"(?:そちら|そっち|あなた|相手)(?:は|の|が)|(?<![A-Za-z])(?:your|yours|you)(?![A-Za-z])", re.IGNORECASE
)
GUESSES = re.compile(
    r"(?<![A-Za-z])(?:expect|think|guess|bet|suppose|assume|fear|hope|probably|surely|next)(?![A-Za-z])|きっと|どうせ|たぶん|おそらく|でしょ|だろ|かな|よね",
    re.IGNORECASE,
)
"""Words of a guess at the other side's orders."""
ACKNOWLEDGED = re.compile(
    r"ですね|了解|確認しま|承知|(?<![A-Za-z])(?:noted|received|got\s+it|understood|acknowledged|seen)(?![A-Za-z])",
    re.IGNORECASE,
)
"""Words before and after orders of the other side that a sentence repeats."""
HYPOTHETICAL_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:(?:if|had|wish)\s+(?:i|you|we|it|only)|(?:i|we)\s+may|next\s+(?:turn|time|round)|(?:i|you|we|he|she|they)(?:'d|'ll|\s+would|\s+will)\s+never|(?:don't|do\s+not|won't|can't)\s+(?:expect|play|think|imagine)|(?:would|should|could|might)(?:'ve|\s+have|\s+i|\s+we)?)\b"
    r"|迷って(?:い|ま)|迷うな|次(?:の?ターン)?こそ|次の?ターン(?:は|に|で)|来ターン|明日",
    re.IGNORECASE,
)
HYPOTHETICAL_AFTER = re.compile(
    r"(?<![A-Za-z])(?:would|should|could|might)(?:'ve|\s+have)\b|よかった|良かった|(?<![A-Za-z])is\s+(?:tempting|too\s+risky|silly|stupid)(?![A-Za-z])|べきだった|べきでした|だったのに|したい(?:ところ|けど|が)|したかった|迷って(?:い|ま)|迷った"
    r"|迷うな|悩(?:む|み中|ましい|んでい)|(?:絶対|決して)に?\S{1,3}(?:ません|ない)(?!か)",
    re.IGNORECASE,
)
"""Words before and after an order in a sentence that considers it."""
WOULD_LIKE_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:wants?|(?:would|(?:i|we|he|she|they)'d)\s+(?:love|like)|tempted|itching)\s+to\s*$",
    re.IGNORECASE,
)
BUT_AFTER = re.compile(r"(?<![A-Za-z])but(?![A-Za-z])", re.IGNORECASE)
"""Words before and after an order that its writer would like to give but does not."""
POLITE = re.compile(
    r"(?<![A-Za-z])if\s+(?:you\s+(?:don't|do\s+not|wouldn't)\s+mind|you\s+(?:please|like)|(?:it's\s+)?possible|i\s+may"
    r"|(?:that|it|this)(?:'s|\s+is)\s+(?:ok(?:ay)?|fine|all\s?right|allowed|legal|possible|right|correct)"
    r"|i(?:'m|\s+am)\s+(?:not\s+mistaken|right|correct)"
    r"|i\s+(?:read|see|saw|got|understand|understood|remember|count(?:ed)?)(?:\s+(?:it|that|this|you))?\s+(?:right|correctly))(?![A-Za-z])"
    r"|(?:よろし|宜し|よ)(?:ければ|かったら)|でき(?:れば|たら)|可能(?:なら|であれば)|差し支えなければ|問題(?:が)?なければ"
    r"|間違(?:って(?:い)?|いで)なければ|(?:それ|そう|でし|そし|そうし)(?:なら|たら)|(?:^|(?<=[。、\s]))だったら|なのだから",
    re.IGNORECASE,
)
"""Polite phrases and connectives that contain the word of a condition."""
CONDITION_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:if|unless|otherwise|(?<!one\s)(?<!body\s)(?<!all\s)else|provided|as\s+long\s+as|in\s+case)(?![A-Za-z])"
    r"|もし|(?<=[^\W0-9_])(?:なら(?!ない|べ|び|ぶ)|れば|けれ?ば|せば|てば|たら|だら)(?!.*(?:ので|だから|ため))|(?:な|た|る|い)(?:場合|とき|時)は|さもなく|でなければ",
    re.IGNORECASE,
)
"""Words before an order that make it depend on a condition."""
OTHER_CHOICE_AFTER = re.compile(r"\s*(?:if|unless|in\s+case)(?![A-Za-z])(?!\s+you)", re.IGNORECASE)
"""Words after a second order that make it depend on a condition."""
RETRACTED_AFTER = re.compile(
    r"\s*に(?:する|しようとした)ところ(?:でした|だった)|\s*の(?:つもり|予定)(?:でした|だった)|\s*(?:と|に)(?:する|しよう|考え|思)\S{0,6}(?:た|ました)(?:が|けど)",
    re.IGNORECASE,
)
LATER_AFTER = re.compile(
    r"\s*[,(]?\s*(?:(?:in\s+)?(?:the\s+)?(?:next|following)\s+(?:turn|round|phase|time)|(?:は|を)?次(?:の)?ターン|(?:は|を)?来ターン)",
    re.IGNORECASE,
)
"""Words after an order of a later turn."""
EXTRA_HEX_AFTER = re.compile(
    r"\s*(?:[,、&+]|and|と)\s*[0-9]{4}\s*(?:$|[。.!)(])"
    r"|\s*(?:→|->|=>|-|~|から|←|<-)\s*(?:should\s+be\s+)?[0-9]{4}(?![0-9]|\s*[:/は])",
    re.IGNORECASE,
)
"""A second hex after an order, although an order has a single target or destination."""
REPLACED_BEFORE = re.compile(r"(?<![A-Za-z])(?:instead\s+of|rather\s+than)\s+$", re.IGNORECASE)
RETRACTED_BEFORE = re.compile(
    r"(?<![A-Za-z])this\s+close\s+to\s+$|(?<![A-Za-z])(?:was|were)\s+(?:going|about|planning|thinking)\s+(?:to|of)\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
"""Words after and before an order that its writer has given up."""
FRAGMENT_AFTER = re.compile(
    r"[\s\-(,.*;:※←]*(?:(?:sorry|i\s+meant?|oops|whoops|wait|no|actually|rather|correction|edit|fix|make\s+that|should\s+(?:be|read)"
    r"|(?:or\s+)?rather|誤|訂正|正しくは|すみません|すいません|ごめん|失礼|もとい|じゃなく(?:て)?|ではなく(?:て)?|いや)[^0-9/]{0,12}"
    r"(?:[0-9]{4}|HP\s?[0-9]{1,2})|(?:[0-9]{4}|HP\s?[0-9]{1,2})\s*(?:です|でした)?\s*(?:の|が)?(?:間違|誤り|訂正|正しい|に訂正))"
    r"(?![0-9]|\s*/)",
    re.IGNORECASE,
)
"""A hex or hit points that correct the number before them, without the rest of the order or reply."""
FRAGMENT = re.compile(
    r"(?<![0-9/.])(?<![0-9]:)(?!(?:19|20)[0-9]{2})[0-9]{4}(?![0-9:/])|HP\s?[0-9]{1,2}(?![0-9])"
    r"|(?:die|dice|roll(?:ed)?|ダイス|サイコロ|出目|目)[^0-9]{0,8}[1-6](?![0-9])",
    re.IGNORECASE,
)
"""A hex, hit points or a die in a line that announces a correction and contains no order or reply."""
_PART = r"(?:#\s?[0-9]{1,2}\s*(?:は|:|is|to)?\s*)?(?:(?!(?:19|20)[0-9]{2})[0-9]{4}|HP\s?[0-9]{1,2})(?![0-9/])"
WHOLE_FRAGMENT = re.compile(
    rf"(?:[*↑^←※>]\s*|(?:もとい|あ+っ?|おっと|いや|ah|oh|er|no|ops)[、,.…!\s]+)+{_PART}\s*(?:です|でした|だった|だ|ですね)?[^\w/#]*"
    rf"|{_PART}\s*(?:→|->|=>|,?\s*not\s|では?なく(?:て)?|じゃなく(?:て)?|instead\s+of)\s*{_PART}\s*(?:です|でした|だった|だ)?[。.!\s]*"
    r"|#\s?[0-9]{1,2}\s*は\s*[0-9]{4}\s*(?:です|でした)[。.!\s]*|(?!(?:19|20)[0-9]{2})[0-9]{4}[。.!]?"
    r"|(?:(?:やっぱり?|やはり|もとい|いや|冗談です|actually|rather|sorry|wait|no|nah|just\s+kidding)[、,.…!。\s]*)+D\s*(?:で|です|にします|でお願いします|instead|now)?[。.!\s]*",
    re.IGNORECASE,
)
"""A whole line that corrects a part of the line before it, as in `*0807`, `0806 → 0807` and `Actually D`."""
REQUEST_AFTER = re.compile(
    r"[」』\"]\s*(?:で(?:お願い|す(?!か)|いき|行き|$|[。、!])|です(?!か)|とします|を(?:選|お願い)|please|(?:from|by|with|for)\b)",
    re.IGNORECASE,
)
"""Words after an order in quotation marks which show that it is an order and not a quotation."""
RECEIVED_AFTER = re.compile(
    r"[\s」』\"、,]*(?:了解|承知|確認|ですね|か(?!ら)|(?:noted|got it|ok|okay|thanks|understood|received)\b)",
    re.IGNORECASE,
)
SAME_ORDER = re.compile(
    r"[\s:,、\-=→]*(?:は|も|が)?\s*(?:(?:does\s+|is\s+)?(?:the\s+)?same(?:\s+(?:again|here|order|target))?|joins?(?:\s+in)?(?:\s+(?:as\s+well|too))?|ditto|likewise|follows?\s+suit|同じ(?:く|行動|目標|標的|対象|命令)?"
    r"|同様|同上|〃|続(?:く|きます)|as\s+well|too|も(?=\s*(?:$|[。、.,;!(])))(?:に|です|で|でお願いします)?\s*(?:$|[。、.,;!(])",
    re.IGNORECASE,
)
"""Words after an AT which give it the order that was given before."""
SAME_ORDER_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:so\s+(?:does|will|do)|(?:the\s+)?same\s+(?:(?:order|target)\s+)?(?:for|with|goes\s+for)|ditto(?:\s+for)?|likewise(?:\s+for)?)\s*:?\s*$",
    re.IGNORECASE,
)
"""Words before an AT which give it the order that was given before."""
OTHER_HEX_AFTER = re.compile(
    r"[\s:,、]*(?:is\s+)?(?:(?:the\s+same|likewise|also)\s+)?(?:(?:at|on|for|against)\s+|[はもを]\s*|(?:→|->)\s*)?[0-9]{4}(?![0-9])(?!\s*/)",
    re.IGNORECASE,
)
"""A hex after an AT, which may be the target of the same order as before, as in `#1: F / 1108, #2 at 0908`."""
HEX_NUMBER = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
CHOICE = re.compile(r"\s*[、,]?\s*(?:→|->|=>|では?なく(?:て)?|じゃなく(?:て)?|でなく|か)\s*")
"""The whole text between two orders of which only one can be meant."""
DOUBTED_REPLY_AFTER = re.compile(
    r"[\s,、.。(…!-]*(?:or\s+(?:wait|was)|(?:(?:no|oh),?\s*)?wait(?![A-Za-z])|no,|oops|sorry,?\s*(?:(?:[HFDA]|EX)(?![A-Za-z])|i\s|it\s|that\s)"
    r"|と思った(?:ら|が|けど)|(?:i\s+(?:think|guess)|maybe|probably|たぶん|多分)\W*$)",
    re.IGNORECASE,
)
"""Words after a reply which show that its writer corrects or doubts it."""
CONDITION_AFTER = re.compile(r"\s*(?:なら|だったら)")

QUOTED_REPLY_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:remember|examples?|why|explain|(?:he|she|they|who|someone|(?!You\s)[A-Z][a-z]+)\s+(?:once\s+)?(?:posted|wrote))(?![A-Za-z])"
    r"|(?<![一-鿿])(?:例|昔|以前|なぜ)(?![一-鿿])|どうして"
)
NOT_DUE_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:almost|nearly)\s+$|(?<![A-Za-z])(?:last\s+(?:time|turn)|previously|if|would|could)(?![A-Za-z])|前回|前のターン|もし",
    re.IGNORECASE,
)
"""Words before a reply to no attack which show that it is not meant as a reply."""
QUOTED_REPLY_AFTER = re.compile(
    r"\s*(?:は(?:なぜ|どう)|(?:っ?て|と)(?:い[うい]|書|投稿))|.{0,20}(?:なぜ|why)(?![A-Za-z])"
)
"""Words before and after a reply of another game or an example."""

# The letter of a guard without a move, which also occurs in talk.

ONLY_SIGNS = re.compile(r"[\s:,、\-→=|;)\]】」\"'.]*(?:は|が|も|の|で|さん|、|には|->|=>)*[\s:,、\-→=|;(\[【「\"'.]*")
"""Text without a meaning between an AT and its order."""
AFTER_GUARD = re.compile(
    r"\s*(?:$|[^\w\s&'\-:@?]|[&+~]|です(?!か)|で(?!も|は|しょう|した|すか|すね)|します|する(?!か|と|の|なら|べき)"
    r"|に(?:します|する(?!か|と|の)|決め|徹)|のまま|を(?:選|行|し|宣言|実行|取|使|指定)"
    r"|し(?:て(?:お|い(?!て|た))|と)|にし(?:て(?!おけ|いれ)|と)|って(?:こと|感じ)?で|と(?!か|は|の|い|思|言)|いきます|行きます|お願い|だ(?:[。!]|$)|w+$|よ(?:[。!]|$)"
    r"|以上|(?:だ?[ねよなぞぜ]|っと|[っッ][すス]|や(?:で|ね|わ|ねん)?|じゃ|ばい|たい|だべさ?|な(?:の|ん)で)(?=[\s。、.!…~〜]|$)"
    r"|(?:and|then|while|for|with|from|by|please|too|again|as well)\b|-{1,2}\s|[\u2600-\u27bf\U0001f300-\U0001faff])",
    re.IGNORECASE,
)
WHOLE_GUARD = re.compile(
    r"(?:で|します|する|に(?:します|する)|で?(?:いきます|行きます)|で?お願いします|防御|ガード|D)?w*"
)
"""The words that may follow a single D in a line that contains nothing else."""
GUARD_BEFORE = re.compile(r"(?:防御|ガード|guards?|guarding|defends?)[\s、,:は(「\"]*$", re.IGNORECASE)
GUARD_WORD = re.compile(r"防御|ガード|guard|defend|hold|stay", re.IGNORECASE)
STATES_GUARD = re.compile(r"\s*(?:です|で|します|する|に|のまま|を|と|いき|行き|お願い)")
UNSURE_GUARD_AFTER = re.compile(r"\s*(?:の予定|かな|にし(?:よう|たい)|\?|ですか|でしょうか|でいい|も(?:あり|いい))")
PURPOSE_AFTER = re.compile(r"\s+(?:to|this|because|since|just|so|until|in case|right|now|here)\b", re.IGNORECASE)
REMARK = re.compile(r"^\s*\([^()]*\)")
SMILEY_BEFORE = re.compile(r"(?:^|\s)[:;=]-?$")
SMILEY_AFTER = re.compile(r"-?[:;](?!\s*[#\w])")
NAMING_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:call|calls|called|named?|dub|dubbed)\s+(?:my\s+|the\s+)?$", re.IGNORECASE
)
"""Words before an AT that give it a name, as in `I call #2 "D"`."""
TALK_AFTER = re.compile(r"\s+(?:is|was|has|had|says?|said|rank|class|type|plan|team|or)\b", re.IGNORECASE)
TALK_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:(?:was|were|had\s+been)\s+(?:on|in)|an?|vitamin|plan|grade|class|rank|type|team|group|series|option|battery|size|cup|level|appendix)\s+$"
    r"|(?:成績|評価|判定|ランク|点数|級|クラス|プラン|型|チーム|グループ|ビタミン|サイズ)(?:は|が|も|で)?\s*$",
    re.IGNORECASE,
)
"""Words before a single D that is not an order."""
OPENS_GUARD = re.compile(
    r"(?:^|[^\w\s]|(?<![A-Za-z])(?:please|and|then|so|just|guard|order|orders|with|go|choose|pick|take|play|do|want|like|be|is|also|now|but"
    r"|i'll|it's|that's|only|simple|simply|safe|boring|again|yes|ok|okay|go\s+for)|[ぁ-ん])\s*$",
    re.IGNORECASE,
)
"""Signs and words before a single D whose AT is mentioned after it, as in `please D for #2`."""
SIGNATURE_BEFORE = re.compile(r"\w.*[,、\-]\s*$")
"""Prose and a comma before a single D, which may be the name of the writer or reader."""
GUARDS_IN_WORDS = re.compile(
    r"\s*(?:$|[。、,.!;)]|です(?!か|が)|します|する(?:$|[。!])|で(?:$|[。、!]|す(?!か|が)|お願い|いき)|に(?:します|徹します))"
)
"""Words after `guard` that make it an order without its letter."""

# Words that announce corrections.

CALLED_CORRECTION = re.compile(
    r"訂正(?!あり|有|了解|承知|どうも|感謝|を?見|の通り|後の)|正しくは|誤.*正|に(?:変更|修正)|修正(?:です|します|版|:)|変更(?:です|します|:)"
    r"|(?<![A-Za-z])(?:correct(?:ion|ed|ing)|erratum|amend(?:ed|ment)?)(?![A-Za-z])",
    re.IGNORECASE,
)
ADMITS_MISTAKE = re.compile(
    r"(?:と|って)(?:思|考え)\S{0,6}(?:が|けど)|つもりでした|on\s+second\s+thoughts?|changed\s+my\s+mind|考え直し|間違|誤り(?:です|でした|だった)|まちがえ|書き直|打ち間違|ミス(?:[、。!]|です|しま|りま)|取り消|撤回|じゃなくて|やめます"
    r"|(?:全部|全て|すべて|今の|いまの)(?:は|を)?(?:全部)?(?:無し|なし|ナシ|やめ)|^やめて|に変え(?:ます|る)|変更して|(?<![A-Za-z])(?:make\s+it|new\s+order\s+for)(?![A-Za-z])"
    r"|(?:^|[.!?]\s*)(?:hold\s+on|updated?)(?=[\s.,:!…-])"
    r"|(?:さっき|先ほど|先程|上)の(?:投稿|書き込み|命令)?は(?:無し|なし|ナシ|忘れ)|待った|忘れてくだ"
    r"|(?<![A-Za-z])(?:oops|whoops|typo|(?:scratch|scrap|strike)\s+that|i\s+meant?|make\s+that|should\s+(?:be|read|have\s+been)|mistake|mistyped"
    r"|wrong|change\s+(?:that|of|my|#)|changed|miscounted|ignore|disregard|forget\s+(?:that|it|my|what|about|#)|edit|fix(?:ed)?|never\s*mind|cancel(?:s|ed|led)?|withdraw(?:s|n)?|tak(?:e|ing)\s+back)(?![A-Za-z])|キャンセル|取消",
    re.IGNORECASE,
)
APOLOGIZES = re.compile(
    r"^(?:いや|no)[、,.]|失礼|すみません|すいません|ごめん|申し訳|やっぱり?|やはり|(?<![A-Za-z])(?:sorry|actually|wait|rather|instead)(?![A-Za-z])",
    re.IGNORECASE,
)
"""Words of corrections that people also use for other purposes. They count only next to an order."""
WITHDRAWS = re.compile(
    r"(?:^|[.!?,;:]\s*)(?:(?:please|sorry|oops|ok(?:ay)?|actually|wait|no|so|and|hmm+|i|i'd\s+like\s+to|i\s+want\s+to|let\s+me)[,.!…\s]+)*"
    r"(?:tak(?:e|ing)\s+back|withdraw|cancel|retract|undo|(?:ignore|disregard|forget|scratch|drop)\s+(?:that|it|my|the\s+(?:last\s+)?order|#)"
    r"|never\s*mind|nvm|(?:delete|remove|ignore)\s+#)"
    r"|(?<![A-Za-z])wrong\s+(?:AT|unit|machine|mech)(?![A-Za-z])|無効|(?:防御|ガード|D)に(?:変更|変え)"
    r"|取り?消(?!さ|しませ|しな)|撤回(?!しな|しませ)|キャンセル(?!しな|しませ)|(?:は|を)(?:無し|なし|ナシ)(?:に|で)|やめ(?:ます|ておき|にし)",
    re.IGNORECASE,
)
"""Words that withdraw an order without a new one."""
WITHDRAWS_ATTACK = re.compile(
    r"[0-9]\s*(?:号機)?\s*は[^、。が]{0,6}?(?:撃ち|撃た|攻撃し|動き|動か)(?:ません|ない)"
    r"|[0-9]\s+(?:won't|will\s+not|does\s+not|doesn't)\s+(?:fire|shoot|attack|move)(?![A-Za-z])",
    re.IGNORECASE,
)
"""Words that withdraw an order other than a guard."""
TAKES_BACK = re.compile(
    r"(?:(?:please|sorry|oops|no|wait|actually)[\s,.…!]+)*(?:withdrawn|cancel(?:led|ed)?|retracted|scratch|scrap|never\s*mind|nvm|delete|remove|ignore|forget)"
    r"(?:\s+(?:that|it|this|(?:my|the)(?:\s+last)?\s+order))?\W*"
    r"|(?:(?:すみません|ごめん|失礼|やっぱり?|やはり)[、。\s]*)?(?:今の|上|さっきの)?(?:は|を)?(?:取り?消し(?:ます|で|です)?"
    r"|(?:撤回|キャンセル)(?:します|です|で)?|(?:無し|なし|ナシ)(?:で|に(?:します|して))?(?:お願いします)?)\W*",
    re.IGNORECASE,
)
"""A whole line that withdraws the order before it."""
SWAPS = re.compile(
    r"(?<![A-Za-z])(?:swap(?:ped)?|mixed\s+up|mix-up|confused|(?:other|wrong)\s+way\s+(?:a)?round)(?![A-Za-z])"
    r"|逆(?:でし?た|です|に)|入れ替え|入れ違い|取り違え",
    re.IGNORECASE,
)
"""Words which say that the orders of two ATs were exchanged by mistake."""
THANKS_FOR_CORRECTION = re.compile(r"ありがと|有難|感謝|了解|thank|noted", re.IGNORECASE)
OLD_FIRST = re.compile(
    r"→|->|=>|>|では?なく|じゃなく|でなく|から|をやめて|はやめて|を取り消|\bbut\b|\bto\b|\bshould\b|\bbecomes\b|正",
    re.IGNORECASE,
)
NEW_BEHIND = re.compile(
    r"(?:←|<-+|‹-)\s*(?:\W*(?:typo|oops|whoops|sorry|i\s+meant?|(?:it\s+)?should\s+(?:be|read)|correct(?:ion)?|間違い|訂正|正しくは|誤り?))+",
    re.IGNORECASE,
)
"""An arrow to a mistake, and words which show that the new version follows."""
NEW_FIRST = re.compile(r"←|<-|instead\s+of|rather\s+than|の(?:間違い|誤り)|\bnot\b", re.IGNORECASE)
"""Words between the old and the new version of an order that show which is which."""
SELF_CORRECTION = re.compile(
    r"[\s,、.…!~-]*(?<![A-Za-z])(?:no|wait|rather|er+m?|いや|もとい)(?![A-Za-z])[\s,、.…!:]*(?:make\s+(?:that|it)\s*)?",
    re.IGNORECASE,
)
"""The whole text between the old and the new version of an order, as in `F / 0809, no, F / 1108`."""
OLD_BEFORE = re.compile(r"\s*(?:の(?:間違い|誤り)|が正し|に訂正|に変更)")
"""Words after the new version of an order which show that the old one precedes it, as in `AはBの誤りでした`."""
REPLACES = re.compile(
    r"では?なく|じゃなく|でなく|instead\s+of|rather\s+than|の(?:間違い|誤り)|の?打ち間違い|をやめて", re.IGNORECASE
)


def announces_correction(text: str, alone: bool = False) -> Announcement:
    """Return how a line announces a correction of an earlier line.

    `alone` states that the line contains no order or reply.
    """
    if THANKS_FOR_CORRECTION.search(text):
        return ""
    if CALLED_CORRECTION.search(text):
        return "called"
    if ADMITS_MISTAKE.search(text):
        return "admitted"
    return "hinted" if not alone and APOLOGIZES.search(text) else ""
