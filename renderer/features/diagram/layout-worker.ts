// The thread in which diagrams are laid out: nothing but the layout engine, which listens to messages as it is loaded.
import 'elkjs/lib/elk-worker.min.js';
