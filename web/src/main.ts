document.title = "Hastilude";
