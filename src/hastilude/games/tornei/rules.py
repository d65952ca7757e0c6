import numpy as np
from hastilude.core.bits import NONE, bit, lowest, has
from hastilude.core.kernel import kernel

C,S,F,W = 0,1,2,3
STATE = np.dtype([
  ("hand", np.uint64, 4),
  ("score", np.int16, 4),
  ("joust", np.int8, (7,4)),
  ("prediction", np.int8, (7,4)),
  ("leader", np.int8, 8),
  ("won", np.int8, 4),
  ("column", np.int8, 7),
  ("pile", np.int8, 7),
  ("players", np.int8), ("dealer", np.int8), ("round", np.int8), ("trick", np.int8), ("phase", np.int8), ("turn", np.int8), ("waiting", np.int8),
], align=True)

DEAL, LEAD, PREDICT, FOLLOW, OVER = 0,1,2,3,4
SUIT = np.uint64(0x3FFF)
POINTS = (2,3,3,2)

@kernel
def start(s, options):
    s["players"] = options[0]
    s["dealer"] = options[1]
    s["phase"] = DEAL
    s["round"] = 0
    for seat in range(4): s["score"][seat] = 0

@kernel
def pending(s):
    phase = s["phase"]
    if phase == PREDICT: return s["waiting"]
    if phase == LEAD or phase == FOLLOW: return 1 << s["turn"]
    return 0

@kernel
def turn(s):
    return s["turn"]

@kernel
def suit_cards(suit):
    return SUIT << np.uint64(14*suit)

@kernel
def legal(s, seat):
    hand = s["hand"][seat]
    if s["phase"] == FOLLOW:
        trick = s["trick"]
        led = s["joust"][trick, s["leader"][trick]]
        follow = hand & suit_cards(np.int64(led) // 14)
        if follow != NONE: return follow
    return hand

@kernel
def apply(s, seat, card):
    s["hand"][seat] ^= bit(card)
    trick = s["trick"]
    phase = s["phase"]
    if phase == PREDICT:
        s["prediction"][trick, seat] = card
        w = s["waiting"] & ~(1 << seat)
        s["waiting"] = w
        s["turn"] = (seat + 1) & 3
        if w == 0:
            s["phase"] = FOLLOW
            s["turn"] = (s["leader"][trick] + 1) & 3
    else:
        s["joust"][trick, seat] = card
        if phase == LEAD:
            s["phase"] = PREDICT
            s["waiting"] = 15
        else:
            nxt = (seat + 1) & 3
            s["turn"] = nxt
            if nxt == s["leader"][trick]:
                finish(s, trick)

@kernel
def finish(s, trick):
    joust = s["joust"][trick]
    winner = 0
    for seat in range(4):
        place = 0
        card = joust[seat]
        for other in range(4):
            place += joust[other] > card
        if place == 0: winner = seat
        if 3 - np.int64(s["prediction"][trick, seat]) // 14 == place:
            s["score"][seat] += 2 + ((place + 1) >> 1 & 1)
    s["won"][winner] += 1
    s["trick"] = trick + 1
    s["leader"][trick+1] = winner
    s["turn"] = winner
    s["phase"] = LEAD
    if trick == 6:
        for seat in range(4):
            won = s["won"][seat]
            s["score"][seat] += won if won > 0 else 3
        s["round"] += 1
        s["dealer"] = (s["dealer"] + 1) & 3
        s["phase"] = OVER if s["round"] == s["players"] else DEAL

@kernel
def chance_due(s):
    return s["phase"] == DEAL

@kernel
def undealt(s, due, cards):
    for i in range(56): cards[i] = i
    return 56

@kernel
def deal(s, due, order):
    for seat in range(4):
        hand = np.uint64(0)
        for k in range(14): hand |= bit(order[14*seat+k])
        s["hand"][seat] = hand
        s["won"][seat] = 0
    for t in range(7):
        for k in range(4):
            s["joust"][t,k] = -1
            s["prediction"][t,k] = -1
    s["trick"] = 0
    s["leader"][0] = s["turn"] = (s["dealer"]+1) & 3
    s["phase"] = LEAD
