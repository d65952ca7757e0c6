// Our server for the load generator: real rules, whichever seat is pending moves. The environment says
// what is played: GAME, CLOCK (seconds per player, 0: none) and SPECTATORS (per table).
// `expect(s, n)` waits until seat s has seen the n-th move of the table.
const WebSocket = require('ws');
const http = require('http');
const crypto = require('crypto');

// Idle connections are closed before the server closes them, while a request might be under way.
const agent = new http.Agent({ keepAlive: true, maxSockets: 20, timeout: 3000 });
const SEED = 'ab'.repeat(16);
// The options of each game, and how many play it.
const GAMES = {
  kings_tournament: { options: { best_of: 7 }, players: 2 },
  tornei: { options: { players: 4 }, players: 4 },
  triatri: { options: { players: 3 }, players: 3 },
};
const game = process.env.GAME || 'kings_tournament';
const { options, players } = GAMES[game];
const seconds = Number(process.env.CLOCK || 0);
const clock = seconds ? { kind: 'bank', seconds, increment: 5 } : { kind: 'none' };
const spectators = Number(process.env.SPECTATORS || 0);

function post(url, body) {
  return new Promise((resolve, reject) => {
    const data = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) };
    const request = http.request(url, { method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.on('data', (part) => { text += part; });
      answer.on('end', () => (answer.statusCode < 300 ? resolve(JSON.parse(text)) : reject(new Error(text))));
    });
    request.on('error', reject);
    request.end(data);
  });
}

module.exports = class {
  constructor(url) {
    this.name = 'hastilude';
    this.url = url.replace(/\/$/, '');
    this.sockets = new Set();
    this.bytes = 0;
    this.frames = 0;
  }

  bytesIn() { return this.bytes; }

  stateMsgs() { return this.frames; }

  async openPair() {
    const pair = { seats: [], waiting: [null, null] };
    pair.expect = (seat, n) => new Promise((resolve) => {
      const timeout = setTimeout(() => { pair.waiting[seat] = null; resolve(false); }, 5000);
      pair.waiting[seat] = { n, resolve, timeout };
    });
    pair.move = () => { pair.owed = true; this.move(pair); };
    await this.freshMatch(pair);
    return pair;
  }

  async freshMatch(pair) {
    pair.sockets?.forEach((socket) => { this.sockets.delete(socket); socket.terminate(); });
    const { code } = await post(`${this.url}/api/tables`, { game, options, clock, away: null });
    pair.owed = false;
    pair.sockets = [];
    pair.seats = Array.from({ length: players }, () => ({ state: { version: 0, legal: [] }, match: 0, moves: 0, over: 0 }));
    const watching = Array.from({ length: spectators }, () => this.watch(pair, code));
    await Promise.all([...pair.seats.map((_, number) => this.sit(pair, number, code)), ...watching]);
  }

  connect(pair, code, hello) {
    const address = `${this.url.replace('http', 'ws')}/api/tables/${code}/socket`;
    const socket = new WebSocket(address, { perMessageDeflate: false });
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', ...hello })));
    pair.sockets.push(socket);
    this.sockets.add(socket);
    return socket;
  }

  watch(pair, code) {
    return new Promise((resolve, reject) => {
      this.connect(pair, code, {}).on('error', reject).on('message', resolve);
    });
  }

  async sit(pair, number, code) {
    const body = { name: `p${number}`, seed: SEED, seat: number };
    const { token } = await post(`${this.url}/api/tables/${code}/seats`, body);
    const seat = pair.seats[number];
    seat.socket = this.connect(pair, code, { token });
    await new Promise((resolve, reject) => {
      seat.socket.on('error', reject);
      seat.socket.on('message', (data) => {
        const frame = JSON.parse(data);
        if (frame.type === 'refused') reject(new Error(JSON.stringify(frame)));
        if (frame.type !== 'update') return;
        this.bytes += data.length;
        this.frames += 1;
        seat.state = frame;
        if (frame.phase !== 'gathering' && seat.over !== frame.match) this.count(seat, frame);
        if (seat.match) resolve();
        if (pair.owed) this.move(pair);
        const waiting = pair.waiting[number];
        if (waiting && seat.moves >= waiting.n) {
          pair.waiting[number] = null;
          clearTimeout(waiting.timeout);
          waiting.resolve(true);
        }
      });
    });
  }

  // While a match is played, each version is a move. After it comes another one.
  count(seat, frame) {
    if (frame.match !== seat.match) {
      seat.match = frame.match;
      seat.base = frame.version - seat.moves;
    }
    seat.moves = frame.version - seat.base;
    if (frame.phase === 'over') {
      seat.over = frame.match;
      seat.socket.send(JSON.stringify({ type: 'rematch', seed: SEED }));
    }
  }

  move(pair) {
    const newest = Math.max(...pair.seats.map((one) => one.state.version));
    const seat = pair.seats.find((one) => one.state.version === newest && one.state.legal.length);
    if (!seat) return; // the seat to move has not been told yet
    pair.owed = false;
    const { view, legal, version } = seat.state;
    // A joust takes a line of three cards; all other choices of the three games take one.
    const actions = view.phase === 'joust' ? view.hand.slice(0, 3) : [legal[0]];
    const id = crypto.randomBytes(6).toString('hex');
    seat.socket.send(JSON.stringify({ type: 'play', id, version, actions }));
  }

  close() { this.sockets.forEach((socket) => socket.terminate()); }
};
