// Our server for the load generator: King's Tournament, real rules, whichever seat is pending moves.
// `expect(s, n)` waits until seat s has seen the n-th move of the match.
const WebSocket = require('ws');
const http = require('http');
const crypto = require('crypto');

const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
const SEED = 'ab'.repeat(16);

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
    pair.seats.forEach((seat) => { this.sockets.delete(seat.socket); seat.socket.terminate(); });
    const options = { best_of: 7 };
    const table = await post(`${this.url}/api/tables`, { game: 'kings_tournament', options, away: null });
    pair.owed = false;
    pair.seats = [{ state: { version: 0, legal: [] }, started: 0 }, { state: { version: 0, legal: [] }, started: 0 }];
    await Promise.all([0, 1].map((number) => this.sit(pair, number, table.code)));
  }

  async sit(pair, number, code) {
    const body = { name: `p${number}`, seed: SEED, seat: number };
    const { token } = await post(`${this.url}/api/tables/${code}/seats`, body);
    const seat = pair.seats[number];
    const address = `${this.url.replace('http', 'ws')}/api/tables/${code}/socket`;
    seat.socket = new WebSocket(address, { perMessageDeflate: false });
    this.sockets.add(seat.socket);
    await new Promise((resolve, reject) => {
      seat.socket.on('error', reject);
      seat.socket.on('open', () => seat.socket.send(JSON.stringify({ type: 'hello', token })));
      seat.socket.on('message', (data) => {
        const frame = JSON.parse(data);
        if (frame.type === 'refused') reject(new Error(JSON.stringify(frame)));
        if (frame.type !== 'update') return;
        this.bytes += data.length;
        this.frames += 1;
        if (frame.phase === 'playing' && !seat.started) { seat.started = frame.version; resolve(); }
        seat.state = frame;
        if (pair.owed) this.move(pair);
        const waiting = pair.waiting[number];
        if (waiting && seat.started && frame.version - seat.started >= waiting.n) {
          pair.waiting[number] = null;
          clearTimeout(waiting.timeout);
          waiting.resolve(true);
        }
      });
    });
  }

  move(pair) {
    const newest = Math.max(...pair.seats.map((one) => one.state.version));
    const seat = pair.seats.find((one) => one.state.version === newest && one.state.legal.length);
    if (!seat) return; // the seat to move has not been told yet
    pair.owed = false;
    const { view, legal, version } = seat.state;
    // A joust takes a line of three cards; all other choices take one.
    const actions = view.phase === 'joust' ? view.hand.slice(0, 3) : [legal[0]];
    const id = crypto.randomBytes(6).toString('hex');
    seat.socket.send(JSON.stringify({ type: 'play', id, version, actions }));
  }

  close() { this.sockets.forEach((socket) => socket.terminate()); }
};
